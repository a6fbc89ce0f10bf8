# What `cmake --install` puts where: the program, the libraries and their headers, the plug-ins, SPEC.md, the real tensors,
# and the package that find_package(adahop) finds. Everything is found relative to the prefix, which can be moved.
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ADAHOP_HEADER_DIR ${CMAKE_INSTALL_INCLUDEDIR}/adahop-${PROJECT_VERSION})
set(ADAHOP_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/adahop)
set(ADAHOP_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/adahop)
set(ADAHOP_DATA_DIR ${CMAKE_INSTALL_DATADIR}/adahop/data)

install(TARGETS adahop_program RUNTIME)
set(adahop_libraries adahop_exact adahop_common adahop_reference adahop_simd adahop_hip adahop_hip_cpu_executor)
install(TARGETS ${adahop_libraries} EXPORT adahopTargets ARCHIVE INCLUDES DESTINATION ${ADAHOP_HEADER_DIR})
install(EXPORT adahopTargets NAMESPACE adahop:: DESTINATION ${ADAHOP_PACKAGE_DIR})

foreach(plugin IN ITEMS adahop_plugin_hip_cpu adahop_plugin_hip adahop_plugin_gfx950_sim)
  if(TARGET ${plugin})
    install(TARGETS ${plugin} LIBRARY DESTINATION ${ADAHOP_PLUGIN_DIR})
  endif()
endforeach()

install(DIRECTORY common/adahop DESTINATION ${ADAHOP_HEADER_DIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY reference DESTINATION ${ADAHOP_HEADER_DIR} FILES_MATCHING PATTERN "*.h")
install(FILES hip_backend/backend_hip_cpu.h DESTINATION ${ADAHOP_HEADER_DIR}/hip_backend)

install(FILES SPEC.md README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY conformance/data/ DESTINATION ${ADAHOP_DATA_DIR}
  FILES_MATCHING PATTERN "*.safetensors" PATTERN "manifest.json" PATTERN "README.md" PATTERN "LICENSE*")
install(FILES conformance/mustpass.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/adahop)

configure_package_config_file(cmake/adahopConfig.cmake.in ${PROJECT_BINARY_DIR}/adahopConfig.cmake
  INSTALL_DESTINATION ${ADAHOP_PACKAGE_DIR} PATH_VARS ADAHOP_DATA_DIR ADAHOP_PLUGIN_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/adahopConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/adahopConfig.cmake ${PROJECT_BINARY_DIR}/adahopConfigVersion.cmake
  DESTINATION ${ADAHOP_PACKAGE_DIR})
