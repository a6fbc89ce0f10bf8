# What the kernels of hip_backend do beyond the defaults: other roundings, transforms, shapes, layouts, native mode; by
# hand and against the reference.
adahop_test(hip_kernels2_reference_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels2_models_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/hip_kernels2_reference_test.cc
  LINKS adahop::hip adahop::reference adahop::common
  LABELS unit)
