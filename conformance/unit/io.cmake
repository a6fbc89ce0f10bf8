# Files: containers, the quantized file, reading and atomic writing.
adahop_test(io_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/io_npy_test.cc ${CMAKE_CURRENT_LIST_DIR}/io_safetensors_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/io_mx_file_test.cc ${CMAKE_CURRENT_LIST_DIR}/io_file_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/io_mapping_test.cc
  LINKS adahop::common
  LABELS unit)
