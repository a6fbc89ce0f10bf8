# The installed package from outside, native mode with other tiles, explained cases.
if(TARGET adahop_program AND TARGET adahop_hip)
  function(adahop_native_test name)
    add_test(NAME ${name} COMMAND adahop_program conform ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS conformance TIMEOUT 600)
  endfunction()
  adahop_native_test(conform_native_32x32x64 --option mx_tile=32x32x64 --filter "*native*/default")
  foreach(model IN ITEMS "mfma_seq" "cdna3_gtrfdpa(32)" "block_first_fdpa(2)")
    string(REGEX REPLACE "[()]" "_" model_name ${model})
    adahop_native_test(conform_native_${model_name} --option "mfma_model=${model}" --filter "*/native-mat*")
  endforeach()
endif()
if(TARGET adahop_program AND ADAHOP_INSTALL AND NOT ADAHOP_SANITIZE)
  add_test(NAME conform_install
    COMMAND ${PROJECT_SOURCE_DIR}/conformance/install_test/run_install.sh ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}
            ${PROJECT_BINARY_DIR}/install_test -G ${CMAKE_GENERATOR} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER})
  set_tests_properties(conform_install PROPERTIES LABELS "conformance;plain-only" TIMEOUT 900)
endif()
if(TARGET adahop_program)
  add_library(explain_faulty_backend MODULE ${CMAKE_CURRENT_LIST_DIR}/explain_faulty_backend.cc)
  target_link_libraries(explain_faulty_backend PRIVATE adahop::reference adahop_exact adahop_warnings)
  target_link_options(explain_faulty_backend PRIVATE -Wl,--exclude-libs,ALL)
  set_target_properties(explain_faulty_backend PROPERTIES PREFIX "")
  add_test(NAME conform_explain
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/explain_cli.sh $<TARGET_FILE:adahop_program>
            $<TARGET_FILE:explain_faulty_backend> ${CMAKE_CURRENT_BINARY_DIR}/explain_cli)
  set_tests_properties(conform_explain PROPERTIES LABELS "unit;conformance" TIMEOUT 300)
endif()
