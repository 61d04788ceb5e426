// Members of the same names in classes that are not torch's: nothing is changed, nothing said.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | count 0
#include "program.h"

struct Loss {
  void backward() {}
};

struct Game {
  void step() {}
  void zero_grad() {}
  void to(torch::Device) {}
};

int main() {
  Game game;
  Loss loss;
  game.to(torch::kCUDA);
  for (int turn = 0; turn < 10; ++turn) {
    game.zero_grad();
    loss.backward();
    game.step();
  }
}
