#pragma once
#include "../program.h"

using Loader = decltype(torch::data::make_data_loader(rows(), 8))::element_type;

void train(Net& model, torch::Device device, Loader& loader, torch::optim::Optimizer& optimizer);
