# What the reference and hip-cpu refuse alike.
adahop_test(backend_contract_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/backend_contract_test.cc ${CMAKE_CURRENT_LIST_DIR}/backend_tuned_kernels_test.cc
  LINKS adahop::reference adahop::hip adahop::common
  LABELS unit)
