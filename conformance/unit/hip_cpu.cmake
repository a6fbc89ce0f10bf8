# The hip-cpu executor: correct kernels, planted faults, CpuDevice.
adahop_test(hip_cpu_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/hip_cpu_test.cc ${CMAKE_CURRENT_LIST_DIR}/hip_cpu_fault_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/hip_cpu_device_test.cc ${CMAKE_CURRENT_LIST_DIR}/hip_cpu_kernels.cc
          ${CMAKE_CURRENT_LIST_DIR}/hip_cpu_faulty_kernels.cc
  LINKS adahop::hip_cpu_executor
  LABELS unit)
set_source_files_properties(
  ${CMAKE_CURRENT_LIST_DIR}/hip_cpu_kernels.cc ${CMAKE_CURRENT_LIST_DIR}/hip_cpu_faulty_kernels.cc
  PROPERTIES COMPILE_DEFINITIONS ADAHOP_TARGET_CPU)
