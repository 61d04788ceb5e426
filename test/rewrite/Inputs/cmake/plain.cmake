cmake_minimum_required(VERSION 3.18)
project(train)

# find_package(Torch) in a comment is none
FIND_PACKAGE(Torch REQUIRED) # libtorch
find_package(OpenCV REQUIRED)

add_executable(${PROJECT_NAME} train.cpp)
target_link_libraries(${PROJECT_NAME} "${TORCH_LIBRARIES}" ${OpenCV_LIBS})
add_executable(show show.cpp)
target_link_libraries(show ${TORCH_LIBRARIES})
