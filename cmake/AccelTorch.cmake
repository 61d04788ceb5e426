# ACCEL_CXX_STANDARD: the language standard that the libtorch found needs. Up to 2.x it is C++17; the versions whose headers need C++20
# say so in their TorchConfig.cmake.
find_file(_accel_torch_config TorchConfig.cmake PATHS ${Torch_DIR} NO_DEFAULT_PATH)
file(STRINGS ${_accel_torch_config} _accel_needs_cxx20 REGEX "cxx_std_20|CXX_STANDARD 20")
if(_accel_needs_cxx20)
  set(ACCEL_CXX_STANDARD 20)
else()
  set(ACCEL_CXX_STANDARD 17)
endif()
