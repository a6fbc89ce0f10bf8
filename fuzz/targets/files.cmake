# Readers of files: containers, plans and other JSON, saved cases, code objects.
adahop_fuzz_target(npy SOURCES files.h LINKS adahop::common fmt::fmt)
adahop_fuzz_target(safetensors SOURCES files.h LINKS adahop::common fmt::fmt)
adahop_fuzz_target(plan SOURCES files.h LINKS adahop::suites adahop::common fmt::fmt)
adahop_fuzz_target(saved_case SOURCES files.h LINKS adahop::report adahop::backends adahop::common fmt::fmt)
if(TARGET adahop_hip_sim)
  adahop_fuzz_target(code_object SOURCES files.h LINKS adahop::hip_sim adahop::common fmt::fmt)
  adahop_fuzz_with_sim(plan adahop::hip_sim)
endif()
