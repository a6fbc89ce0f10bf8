# The C ABI under hostile arguments.
adahop_fuzz_target(c_abi
  SOURCES abi_contract.cc hostile_args.cc hostile_damage.cc hostile_memory.cc hostile_table.cc input.cc
  LINKS adahop::reference adahop::hip adahop::common fmt::fmt)
if(TARGET adahop_gfx950_sim)
  foreach(program IN ITEMS fuzz_c_abi libfuzzer_c_abi)
    if(TARGET ${program})
      target_link_libraries(${program} PRIVATE adahop::gfx950_sim)
      target_compile_definitions(${program} PRIVATE ADAHOP_HAVE_GFX950_SIM)
    endif()
  endforeach()
endif()
