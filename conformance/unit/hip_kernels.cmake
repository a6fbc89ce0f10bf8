# The kernels of hip_backend through the backend hip-cpu, expected values worked out by hand.
adahop_test(hip_kernels_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_backend_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_products_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_quantize_test.cc
  LINKS adahop::hip adahop::common
  LABELS unit)

# Compiles kernel sources of its own, barriers taken out, so it links the executor only.
adahop_test(hip_kernels_planted_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_planted_test.cc
  LINKS adahop::hip_cpu_executor adahop::common
  LABELS unit)
target_compile_definitions(hip_kernels_planted_test PRIVATE ADAHOP_TARGET_CPU)
