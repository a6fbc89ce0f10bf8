# Code objects for gfx950 from the kernel files, by a clang that can (22, or amdclang of ROCm 7 and later); neither ROCm's
# headers nor its device libraries are needed. Sets ADAHOP_GFX950_FOUND.
include_guard(GLOBAL)

set(ADAHOP_GFX950_FLAGS
  -x hip --offload-arch=gfx950 --offload-device-only --no-gpu-bundle-output -nogpulib -nogpuinc
  -std=c++20 -ffp-contract=off -fno-fast-math -Wall -Wextra -Wshadow -Wconversion
  # Line tables leave the machine code as it is and let the simulator's reports name source lines.
  -gline-tables-only -fdebug-prefix-map=${PROJECT_SOURCE_DIR}/= -fdebug-compilation-dir=.)
if(ADAHOP_WARNINGS_AS_ERRORS)
  list(APPEND ADAHOP_GFX950_FLAGS -Werror)
endif()
set(ADAHOP_GFX950_FLAGS ${ADAHOP_GFX950_FLAGS} CACHE INTERNAL "for every folder that compiles code objects")

function(adahop_find_gfx950)
  set(ADAHOP_GFX950_FOUND OFF PARENT_SCOPE)
  set(packages "apt-get install clang-22 lld-22 llvm-22")
  find_program(ADAHOP_GFX950_COMPILER NAMES clang++-22 amdclang++ PATHS /opt/rocm/bin)
  find_program(ADAHOP_GFX950_OBJDUMP NAMES llvm-objdump-22 llvm-objdump PATHS /opt/rocm/llvm/bin)
  if(NOT ADAHOP_GFX950_COMPILER)
    message(STATUS "gfx950 code objects: off, clang-22 not found (${packages})")
    return()
  endif()
  if(NOT ADAHOP_GFX950_OBJDUMP)
    message(STATUS "gfx950 code objects: off, llvm-objdump not found (${packages})")
    return()
  endif()
  # A compiler without its linker, or too old for gfx950, is found out here rather than in the build.
  set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/gfx950_probe)
  file(WRITE ${probe}.hip "extern \"C\" __attribute__((global)) void probe() {}\n")
  execute_process(COMMAND ${ADAHOP_GFX950_COMPILER} ${ADAHOP_GFX950_FLAGS} ${probe}.hip -o ${probe}.co
    RESULT_VARIABLE failed ERROR_VARIABLE why OUTPUT_QUIET)
  if(failed)
    string(REGEX REPLACE "\n.*" "" why "${why}")
    message(STATUS "gfx950 code objects: off, ${ADAHOP_GFX950_COMPILER} cannot make them (${packages}): ${why}")
    return()
  endif()
  message(STATUS "gfx950 code objects: on, by ${ADAHOP_GFX950_COMPILER}")
  set(ADAHOP_GFX950_FOUND ON PARENT_SCOPE)
endfunction()

# adahop_gfx950_code_objects(<target> LEVEL O3 INCLUDES ... SOURCES ...): one .co a source, in <binary dir>/gfx950/<level>/,
# listed in the target's property ADAHOP_CODE_OBJECTS.
function(adahop_gfx950_code_objects target)
  cmake_parse_arguments(arg "" "LEVEL" "INCLUDES;SOURCES" ${ARGN})
  list(TRANSFORM arg_INCLUDES PREPEND -I)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/gfx950/${arg_LEVEL})
  file(MAKE_DIRECTORY ${folder})
  set(objects)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(name ${source} NAME_WE)
    set(object ${folder}/${name}.co)
    # clang ignores -MD where it links a device image, so the compiler proper is told itself.
    set(dependencies -Xclang -dependency-file -Xclang ${object}.d -Xclang -MT -Xclang ${object})
    add_custom_command(OUTPUT ${object}
      COMMAND ${ADAHOP_GFX950_COMPILER} ${ADAHOP_GFX950_FLAGS} -${arg_LEVEL} ${arg_INCLUDES} ${dependencies}
              ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} DEPFILE ${object}.d
      COMMENT "gfx950 ${arg_LEVEL} ${source}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${objects})
  set_target_properties(${target} PROPERTIES ADAHOP_CODE_OBJECTS "${objects}")
endfunction()
