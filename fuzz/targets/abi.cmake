# The C ABI under hostile arguments.
adahop_fuzz_target(c_abi
  SOURCES abi_contract.cc hostile_args.cc hostile_damage.cc hostile_memory.cc hostile_table.cc input.cc
  LINKS adahop::reference adahop::hip adahop::common fmt::fmt)
if(TARGET adahop_gfx950_sim)
  adahop_fuzz_with_sim(c_abi adahop::gfx950_sim)
endif()
