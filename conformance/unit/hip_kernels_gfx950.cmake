# The machine code of the gfx950 kernels at both optimisation levels that are built: its instructions, what it takes from
# a compute unit, and the tests of these checks.
if(NOT TARGET adahop_gfx950_O3)
  return()
endif()
set(gfx950_folder ${PROJECT_SOURCE_DIR}/hip_backend/arch/gfx950)
get_target_property(gfx950_O3 adahop_gfx950_O3 ADAHOP_CODE_OBJECTS)
get_target_property(gfx950_O2 adahop_gfx950_O2 ADAHOP_CODE_OBJECTS)

function(adahop_gfx950_check name script)
  add_test(NAME ${name} COMMAND bash ${gfx950_folder}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "unit;plain-only" SKIP_RETURN_CODE 77)
endfunction()

set(gfx950_kernels ${PROJECT_SOURCE_DIR}/hip_backend/kernels/kernels.def)
adahop_gfx950_check(gfx950_code_objects_O3 check_code_objects.sh ${ADAHOP_GFX950_OBJDUMP} ${gfx950_kernels} ${gfx950_O3})
adahop_gfx950_check(gfx950_code_objects_O2 check_code_objects.sh ${ADAHOP_GFX950_OBJDUMP} ${gfx950_kernels} ${gfx950_O2})
adahop_gfx950_check(gfx950_code_objects_test check_code_objects_test.sh ${ADAHOP_GFX950_OBJDUMP} ${gfx950_kernels} ${gfx950_O3})

find_program(ADAHOP_GFX950_READELF NAMES llvm-readelf-22 llvm-readelf PATHS /opt/rocm/llvm/bin)
if(NOT ADAHOP_GFX950_READELF)
  message(STATUS "adahop: the resources of the gfx950 kernels are not checked, llvm-readelf not found (apt-get install llvm-22)")
  return()
endif()
set(gfx950_objects O3 ${gfx950_O3} O2 ${gfx950_O2})
adahop_gfx950_check(gfx950_resources resource_table.sh
  ${ADAHOP_GFX950_READELF} check ${gfx950_folder}/resources.txt ${gfx950_objects})
list(FILTER gfx950_O3 INCLUDE REGEX "/scatter_add\\.co$")
adahop_gfx950_check(gfx950_resources_test resource_table_test.sh ${ADAHOP_GFX950_READELF} ${gfx950_O3})
# A change of the table that is meant.
add_custom_target(gfx950_resource_table
  COMMAND bash ${gfx950_folder}/resource_table.sh ${ADAHOP_GFX950_READELF} write ${gfx950_folder}/resources.txt ${gfx950_objects}
  DEPENDS adahop_gfx950_O3 adahop_gfx950_O2 VERBATIM)
