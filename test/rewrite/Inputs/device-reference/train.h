#pragma once
#include "../program.h"

void train(Net& model, torch::Device& device);
void test(Net& model, torch::Device& device);
