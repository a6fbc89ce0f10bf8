# The kernels without a matrix tile and the executor once more, with waves of 32 lanes: a plug-in for tests.
# The sources are those of hip-cpu, which sanitizers see there.
if(ADAHOP_SANITIZE)
  return()
endif()
set(wave32_sources)
foreach(library IN ITEMS adahop_hip adahop_hip_cpu_executor)
  get_target_property(library_sources ${library} SOURCES)
  get_target_property(library_folder ${library} SOURCE_DIR)
  list(TRANSFORM library_sources PREPEND ${library_folder}/)
  list(APPEND wave32_sources ${library_sources})
endforeach()
list(FILTER wave32_sources EXCLUDE REGEX "/(backend\\.cc|kernels/mx_gemm[a-z_]*\\.hip)$")
set(wave32_kernels ${wave32_sources})
list(FILTER wave32_kernels INCLUDE REGEX "\\.hip$")
set_source_files_properties(${wave32_kernels} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
set_source_files_properties(${PROJECT_SOURCE_DIR}/hip_backend/kernels/cpu_kernels.cc
  PROPERTIES COMPILE_DEFINITIONS ADAHOP_WITHOUT_MATRIX_TILES)

add_library(adahop_hip_wave32 MODULE ${CMAKE_CURRENT_LIST_DIR}/hip_wave32_plugin.cc ${wave32_sources})
set_target_properties(adahop_hip_wave32 PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_compile_definitions(adahop_hip_wave32 PRIVATE ADAHOP_TARGET_CPU ADAHOP_WAVE=32
  $<TARGET_PROPERTY:adahop_hip_cpu_executor,INTERFACE_COMPILE_DEFINITIONS>)
target_include_directories(adahop_hip_wave32 PRIVATE ${PROJECT_SOURCE_DIR}/hip_backend)
target_link_libraries(adahop_hip_wave32 PRIVATE adahop::common fmt::fmt Threads::Threads adahop_exact adahop_warnings)
target_link_options(adahop_hip_wave32 PRIVATE -Wl,--exclude-libs,ALL)

adahop_test(hip_wave32_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/hip_wave32_test.cc
  LINKS adahop::backends adahop::common LABELS unit)
target_include_directories(hip_wave32_test PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(hip_wave32_test PRIVATE ADAHOP_WAVE32_PLUGIN="$<TARGET_FILE:adahop_hip_wave32>")
add_dependencies(hip_wave32_test adahop_hip_wave32)

add_test(NAME hip_wave32_conform COMMAND adahop_program conform --backend $<TARGET_FILE:adahop_hip_wave32>)
set_tests_properties(hip_wave32_conform PROPERTIES LABELS conformance TIMEOUT 1800)
