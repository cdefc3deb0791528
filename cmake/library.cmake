# SPDX-License-Identifier: Apache-2.0
# libopendve, static and shared, and how others find it: pkg-config and a CMake package.
include(CMakePackageConfigHelpers)
set(OPENDVE_OBJECTS ${CORE_OBJECTS} $<TARGET_OBJECTS:opendve_hosted>)

add_library(opendve_static STATIC ${OPENDVE_OBJECTS})
add_library(opendve_shared SHARED ${OPENDVE_OBJECTS})
foreach(target opendve_static opendve_shared)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME opendve LINKER_LANGUAGE C)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE Threads::Threads m)
endforeach()
target_link_libraries(opendve_shared PRIVATE opendve_flags)
# Before 1.0 any minor version may change the interface: SONAME 0.N.
set(OPENDVE_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(opendve_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${OPENDVE_SOVERSION}
  EXPORT_NAME opendve)
set_target_properties(opendve_static PROPERTIES EXPORT_NAME opendve_static)
target_link_options(opendve_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/opendve.map -Wl,--no-undefined)
set_target_properties(opendve_shared PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/opendve.map)
add_library(opendve::opendve ALIAS opendve_shared)
add_library(opendve::opendve_static ALIAS opendve_static)

install(TARGETS opendve_static opendve_shared EXPORT opendve-targets)
install(DIRECTORY include/opendve DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "isa" EXCLUDE
  PATTERN "lower" EXCLUDE)
foreach(tables isa lower)
  install(DIRECTORY ${tables}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/opendve/${tables} FILES_MATCHING PATTERN "*.def")
endforeach()
# The installed tree may be moved: the .pc file finds its prefix from where it lies.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(OPENDVE_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(OPENDVE_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
  set(OPENDVE_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
else()
  string(REGEX REPLACE "[^/]+" ".." OPENDVE_PC_PREFIX "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  set(OPENDVE_PC_PREFIX "\${pcfiledir}/${OPENDVE_PC_PREFIX}")
  set(OPENDVE_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
  set(OPENDVE_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
configure_file(cmake/opendve.pc.in opendve.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/opendve.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(EXPORT opendve-targets NAMESPACE opendve:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/opendve)
configure_package_config_file(cmake/opendve-config.cmake.in opendve-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/opendve)
write_basic_package_version_file(opendve-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/opendve-config.cmake ${PROJECT_BINARY_DIR}/opendve-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/opendve)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
