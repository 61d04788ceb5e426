# What every target of this project shares: the language, the warnings, ccache where there is one.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(ACCEL_CCACHE ccache)
if(ACCEL_CCACHE)
  # A precompiled header is cached too, which needs these two allowances (ccache's manual, "Precompiled headers").
  set(accel_ccache ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${ACCEL_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${accel_ccache} CACHE STRING "Compiler launcher")
  set(CMAKE_C_COMPILER_LAUNCHER ${accel_ccache} CACHE STRING "Compiler launcher")
endif()

if(ACCEL_SANITIZE)
  # GCC's manual: with sanitizers, warnings of values that may be uninitialized are often wrong.
  add_compile_options(-fsanitize=${ACCEL_SANITIZE} -fno-omit-frame-pointer -O1 -g1 -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=${ACCEL_SANITIZE})
  if(ACCEL_SANITIZE MATCHES "undefined")
    # libtorch hides type information that the check of dynamic types needs.
    add_compile_options(-fno-sanitize=vptr -fno-sanitize-recover=undefined)
    add_link_options(-fno-sanitize=vptr)
  endif()
endif()

# accel_warnings(TARGET): the warnings that this project's own code is held to.
function(accel_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  if(ACCEL_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
