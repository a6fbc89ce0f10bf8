# Every basic block of every kernel, at both levels, is executed by the suite's runs (SPEC 13.11). sim_backend.cmake has the
# long runs; here are short ones for the kernels that those leave out at one level.
if(TARGET adahop_program AND TARGET adahop_gfx950_sim AND TARGET adahop_gfx950_O3)
  adahop_sim_covered(sim_paths_O3_portable --option level=O3 --option mx_gemm=portable --filter "*/paths*")
  adahop_sim_covered(sim_paths_O2_tuned --option level=O2 --option mx_gemm=tuned --filter "*/paths*")
  foreach(level O3 O2)
    adahop_sim_covered(sim_paths_${level}_32x32x64
      --option level=${level} --option mx_gemm=portable --option mx_tile=32x32x64 --filter "*/paths*")
  endforeach()

  # Files of an earlier build do not go with this one's code objects.
  add_test(NAME sim_coverage_begin COMMAND sh -c "rm -rf \"$0\" && mkdir \"$0\"" ${sim_coverage_folder})
  set_tests_properties(sim_coverage_begin PROPERTIES LABELS "conformance;plain-only" FIXTURES_SETUP sim_coverage_begun)
  add_test(NAME sim_coverage
    COMMAND adahop_program sim coverage ${sim_coverage_files}
            --unreachable ${PROJECT_SOURCE_DIR}/hip_backend/sim/unreachable_blocks.txt)
  set_tests_properties(sim_coverage PROPERTIES
    LABELS "conformance;plain-only" TIMEOUT 300 FIXTURES_REQUIRED "sim_coverage_begun;sim_coverage_runs")
endif()
