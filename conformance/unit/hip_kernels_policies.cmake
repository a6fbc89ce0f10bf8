# What the kernels of hip_backend do beyond the defaults: other roundings, transforms, shapes, layouts, native mode; by
# hand and against the reference.
adahop_test(hip_kernels_policies_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_layout_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_native_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_transform_test.cc
  LINKS adahop::hip adahop::common
  LABELS unit)

adahop_test(hip_kernels_reference_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_models_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_reference_test.cc
  LINKS adahop::hip adahop::reference adahop::common
  LABELS unit)

# Compiles kernel sources of its own, so it links the executor only.
adahop_test(hip_kernels_rounding_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/hip_kernels_rounding_test.cc
  LINKS adahop::hip_cpu_executor adahop::common
  LABELS unit)
target_compile_definitions(hip_kernels_rounding_test PRIVATE ADAHOP_TARGET_CPU)
