project(train)
if(WITH_TORCH)
  find_package(Torch
    REQUIRED)
endif()
set(SOURCES
  other.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/train.cpp)
add_library(training ${SOURCES})
target_link_libraries(training
  PUBLIC
    other
    ${TORCH_LIBRARIES}
  PRIVATE
    last
)
