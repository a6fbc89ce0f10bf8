# Laws of products: the reference's models and whole products, and every backend of the build against the reference.
add_library(adahop_product_property STATIC
  product_backends.cc product_calls.cc product_inputs.cc product_pick.cc product_simpler.cc)
target_include_directories(adahop_product_property SYSTEM PRIVATE ${ADAHOP_RAPIDCHECK_INCLUDE})
target_link_libraries(adahop_product_property
  PUBLIC adahop::property adahop::suites adahop_exact PRIVATE adahop_warnings fmt::fmt)

adahop_test(product_property_test
  SOURCES product_bf16_test.cc product_bound_test.cc product_linear_test.cc product_models_test.cc product_whole_test.cc
  LINKS adahop_product_property adahop::reference adahop::independent fmt::fmt
  LABELS unit property)
adahop_test(product_backends_test
  SOURCES product_backends_test.cc product_invalid_test.cc product_options_test.cc
  LINKS adahop_product_property fmt::fmt
  LABELS unit property)
