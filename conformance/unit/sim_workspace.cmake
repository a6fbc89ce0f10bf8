# The caller's workspace under policies that look at results, on every backend of ours that executes kernels.
adahop_test(sim_workspace_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_workspace_test.cc
  LINKS adahop::suites adahop::judge adahop::backends
  LABELS unit)
