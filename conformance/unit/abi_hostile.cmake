# What hostile arguments of the C ABI once broke.
adahop_test(abi_hostile_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/abi_hostile_test.cc
  LINKS adahop::backends adahop::common
  LABELS unit)
