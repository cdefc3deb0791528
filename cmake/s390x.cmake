# SPDX-License-Identifier: Apache-2.0
# Toolchain for a big-endian machine, with Debian's cross compiler; programs are static and run under qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x-static)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
