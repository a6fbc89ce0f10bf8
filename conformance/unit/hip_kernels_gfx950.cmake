# The machine code of the gfx950 kernels at both optimisation levels that are built, and the check's own test.
function(adahop_gfx950_check name script level)
  get_target_property(objects adahop_gfx950_${level} ADAHOP_CODE_OBJECTS)
  add_test(NAME ${name}
    COMMAND bash ${PROJECT_SOURCE_DIR}/hip_backend/arch/gfx950/${script} ${ADAHOP_GFX950_OBJDUMP}
            ${PROJECT_SOURCE_DIR}/hip_backend/kernels/kernels.def ${objects})
  set_tests_properties(${name} PROPERTIES LABELS "unit;plain-only")
endfunction()

if(TARGET adahop_gfx950_O3)
  adahop_gfx950_check(gfx950_code_objects_O3 check_code_objects.sh O3)
  adahop_gfx950_check(gfx950_code_objects_O2 check_code_objects.sh O2)
  adahop_gfx950_check(gfx950_code_objects_test check_code_objects_test.sh O3)
endif()
