project(train)
find_package(Torch REQUIRED)
link_libraries(${TORCH_LIBRARIES})
add_executable(train [[train.cpp]])
