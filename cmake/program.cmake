# SPDX-License-Identifier: Apache-2.0
# The opendve program. json-c reads plans and writes reports.
find_package(PkgConfig QUIET)
find_path(JSONC_INCLUDE json-c/json.h REQUIRED)
find_library(JSONC_LIBRARY json-c REQUIRED)
file(GLOB PROGRAM_SOURCES CONFIGURE_DEPENDS cli/*.c)
# Printed on manual pages; changed with the version.
set(OPENDVE_DATE "November 30, 2026")
add_executable(opendve_program ${PROGRAM_SOURCES})
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set_target_properties(opendve_program PROPERTIES OUTPUT_NAME opendve POSITION_INDEPENDENT_CODE ON)
target_compile_definitions(opendve_program PRIVATE _POSIX_C_SOURCE=200809L OPENDVE_VERSION="${PROJECT_VERSION}"
  OPENDVE_DATE="${OPENDVE_DATE}")
target_include_directories(opendve_program SYSTEM PRIVATE ${JSONC_INCLUDE})
target_include_directories(opendve_program PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(opendve_program PRIVATE opendve_flags opendve_static ${JSONC_LIBRARY} Threads::Threads m)
install(TARGETS opendve_program)
include(cmake/manual.cmake)
