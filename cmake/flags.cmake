# SPDX-License-Identifier: Apache-2.0
# Flags of every target that we compile. Exactness: no contraction into fused operations, no fast math.
# -fno-trapping-math only tells the compiler that nobody reads exception flags.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
add_library(opendve_flags INTERFACE)
target_compile_options(opendve_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla
  -Wstrict-prototypes -Wmissing-prototypes -ffp-contract=off -fno-trapping-math -fno-math-errno)
option(OPENDVE_WERROR "warnings are errors" OFF)
if(OPENDVE_WERROR)
  target_compile_options(opendve_flags INTERFACE -Werror)
endif()
set(OPENDVE_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize takes them")
if(OPENDVE_SANITIZE)
  add_compile_options(-fsanitize=${OPENDVE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${OPENDVE_SANITIZE})
endif()
option(OPENDVE_COVERAGE "instrument for gcov" OFF)
if(OPENDVE_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
# Hardening of what is released. The freestanding core has no runtime for it and says so, as some compilers have it on.
if(OPENDVE_FREESTANDING)
  target_compile_options(opendve_flags INTERFACE -U_FORTIFY_SOURCE -fno-stack-protector)
elseif(NOT OPENDVE_SANITIZE)
  target_compile_options(opendve_flags INTERFACE
    $<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2;-fstack-protector-strong>)
  target_link_options(opendve_flags INTERFACE $<$<CONFIG:Release>:LINKER:-z,relro,-z,now>)
endif()
