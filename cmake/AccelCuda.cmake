# A wheel of torch with CUDA makes find_package(Torch) ask for CUDA's compiler and toolkit. Where they were installed beside the wheel
# (cuda-toolkit[nvcc], as scripts/install-torch does), they are the ones to take, whatever the machine has besides.
foreach(accel_prefix IN LISTS CMAKE_PREFIX_PATH)
  # The prefix is the wheel itself, or what torch.utils.cmake_prefix_path says.
  file(GLOB accel_nvcc LIST_DIRECTORIES OFF ${accel_prefix}/../nvidia/cu*/bin/nvcc ${accel_prefix}/../../../nvidia/cu*/bin/nvcc)
  if(accel_nvcc AND NOT CMAKE_CUDA_COMPILER AND NOT CUDAToolkit_ROOT)
    list(GET accel_nvcc 0 accel_nvcc)
    cmake_path(GET accel_nvcc PARENT_PATH accel_toolkit)
    cmake_path(GET accel_toolkit PARENT_PATH accel_toolkit)
    cmake_path(NORMAL_PATH accel_toolkit)
    set(CMAKE_CUDA_COMPILER ${accel_toolkit}/bin/nvcc CACHE FILEPATH "CUDA's compiler")
    set(CUDAToolkit_ROOT ${accel_toolkit} CACHE PATH "CUDA's toolkit")
    set(CUDA_TOOLKIT_ROOT_DIR ${accel_toolkit} CACHE PATH "CUDA's toolkit")
  endif()
endforeach()
