# The backend gfx950-sim in the program, and `adahop conform` on the machine code at both levels.
if(TARGET adahop_program AND TARGET adahop_gfx950_sim AND TARGET adahop_gfx950_O3)
  get_target_property(sim_backend_objects adahop_gfx950_O2 ADAHOP_CODE_OBJECTS)
  list(FILTER sim_backend_objects INCLUDE REGEX "/hadamard_quantize[.]co$")
  add_test(NAME sim_backend_cli
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/sim_backend_cli.sh $<TARGET_FILE:adahop_program>
            $<TARGET_FILE:adahop_plugin_gfx950_sim> ${sim_backend_objects} ${CMAKE_CURRENT_BINARY_DIR}/sim_backend_cli)
  set_tests_properties(sim_backend_cli PROPERTIES LABELS unit TIMEOUT 600)

  # name, then arguments of `adahop conform`. Native products run under every model of mfma_model within the suite.
  function(adahop_sim_conform name)
    add_test(NAME ${name} COMMAND adahop_program conform --backend gfx950-sim ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS "conformance;plain-only" TIMEOUT 1800)
  endfunction()
  # The same with its coverage, which sim_coverage.cmake adds up.
  set(sim_coverage_folder ${PROJECT_BINARY_DIR}/sim_coverage)
  set(sim_coverage_files)
  function(adahop_sim_covered name)
    adahop_sim_conform(${name} ${ARGN} --coverage ${sim_coverage_folder}/${name}.json)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED sim_coverage_begun FIXTURES_SETUP sim_coverage_runs)
    set(sim_coverage_files ${sim_coverage_files} ${sim_coverage_folder}/${name}.json PARENT_SCOPE)
  endfunction()
  adahop_sim_covered(sim_mustpass_O3_tuned --option level=O3 --option mx_gemm=tuned)
  adahop_sim_covered(sim_mustpass_O2_portable
    --option level=O2 --option mx_gemm=portable --option schedule_seed=20261129)
  adahop_sim_covered(sim_tile_32x32x64 --option mx_gemm=portable --option mx_tile=32x32x64 --filter "*/m*/*")
  # What the hardware's documents leave open must not show in mode bitexact (SPEC 13.10); native cases are left out.
  set(other_choices --option mfma_scale_ff=power_of_two --option nan_to_fp4=plus_zero --option scale_ff=keep_destination
    --option widened_nan=hip_host --option bf16_nan=canonical --option rcp_ulp=1 --option bf16_mfma_model=exact_sum
    --option mfma_nan=0xFFC00001 --option mfma_model=cdna3_trfdpa\(16\))
  adahop_sim_conform(sim_other_choices_pairs ${other_choices} --option rcp_ulp=-1 --filter "[RCN][RCN]/[!n]*")
  adahop_sim_conform(sim_other_choices_any ${other_choices} --option level=O2 --filter "any/[!n]*")

  # Under sanitizers one shape through every stage is enough: the unit tests go through all opcodes.
  if(ADAHOP_SANITIZE)
    add_test(NAME sim_sanitized COMMAND adahop_program conform --backend gfx950-sim --filter "RC/*/72x96x80/*")
    set_tests_properties(sim_sanitized PROPERTIES LABELS conformance TIMEOUT 1800)
  endif()
endif()
