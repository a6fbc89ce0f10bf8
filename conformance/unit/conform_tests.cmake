# Tests of `adahop conform`: the judge, the suites, the command, the suites on hip-cpu, and planted faults.
if(TARGET adahop_suites AND TARGET adahop_reference)
  adahop_test(conform_judge SOURCES conform_judge.cc conform_device_memory.cc conform_followed.cc LINKS adahop::suites adahop::reference LABELS unit)
  adahop_test(conform_suite SOURCES conform_suite.cc
    LINKS adahop::report adahop::reference nlohmann_json::nlohmann_json LABELS unit)
  target_compile_definitions(conform_suite PRIVATE ADAHOP_MUSTPASS="${PROJECT_SOURCE_DIR}/conformance/mustpass.txt")
endif()

if(TARGET adahop_program AND TARGET adahop_hip)
  add_test(NAME conform_cli
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/conform_cli.sh $<TARGET_FILE:adahop_program> ${CMAKE_CURRENT_BINARY_DIR}/conform_cli)
  set_tests_properties(conform_cli PROPERTIES LABELS "unit;conformance" TIMEOUT 600)

  # name, then arguments of `adahop conform`
  function(adahop_conform_test name)
    add_test(NAME ${name} COMMAND adahop_program conform ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS conformance TIMEOUT 1800)
  endfunction()
  # Sanitizers make it eight times slower: every second case there.
  if(ADAHOP_SANITIZE)
    adahop_conform_test(conform_mustpass --shard 1/2)
  else()
    adahop_conform_test(conform_mustpass)
  endif()
  adahop_conform_test(conform_mustpass_lanes --lane-seed 20261129 --seed 2 --filter "*/*/[!m]*")
  adahop_conform_test(conform_tile_32x32x64 --option mx_tile=32x32x64 --filter "*/m*/*")
  # The same kernels under other orders and tiles: under sanitizers the first suite, which has both tiles, is enough.
  set_tests_properties(conform_mustpass_lanes conform_tile_32x32x64 PROPERTIES LABELS "conformance;plain-only")
  # The oracle's SIMD twins, one level each; a CPU without the level is reported as skipped.
  foreach(level IN ITEMS avx512 avx2)
    if(ADAHOP_SANITIZE)
      adahop_conform_test(conform_simd_${level} --backend simd --option isa=${level} --shard 1/4)
    else()
      adahop_conform_test(conform_simd_${level} --backend simd --option isa=${level})
    endif()
    set_tests_properties(conform_simd_${level} PROPERTIES SKIP_REGULAR_EXPRESSION "this CPU or build does not have it")
  endforeach()
  adahop_conform_test(conform_plugin --backend $<TARGET_FILE:adahop_plugin_hip_cpu> --pairs RC,RN,CC --filter "*/72x96x80/*")

  # Each planted fault must be found. One working copy serves all; run_planted.sh locks it while it builds. What the
  # optimiser makes of a fault is of no interest, so that less is spent on it.
  set(planted ${CMAKE_CURRENT_LIST_DIR}/../planted/run_planted.sh)
  set(planted_work ${PROJECT_BINARY_DIR}/planted)
  add_test(NAME planted_setup
    COMMAND ${planted} setup ${PROJECT_SOURCE_DIR} ${planted_work} $<TARGET_FILE:adahop_program> -G ${CMAKE_GENERATOR}
            -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
            -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"
            -DADAHOP_COMMON_LIBRARY=$<TARGET_FILE:adahop_common> -DADAHOP_SANITIZE=${ADAHOP_SANITIZE})
  set_tests_properties(planted_setup PROPERTIES
    LABELS "conformance;plain-only" TIMEOUT 1800 FIXTURES_SETUP planted)
  file(GLOB faults CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../planted/faults/*.sed)
  foreach(fault IN LISTS faults)
    get_filename_component(fault_name ${fault} NAME_WE)
    add_test(NAME planted_${fault_name}
      COMMAND ${planted} fault ${PROJECT_SOURCE_DIR} ${planted_work} $<TARGET_FILE:adahop_program> ${fault})
    set_tests_properties(planted_${fault_name} PROPERTIES
      LABELS "conformance;plain-only" TIMEOUT 600 FIXTURES_REQUIRED planted)
  endforeach()
endif()
