//===- Shard.cpp - Each process takes its rows of a batch made by hand ----===//
#include "rules/Rules.h"

namespace accel_rewrite {

void shardRule(const Facts&, const Change& C, EditList& Out) {
  for (const RowsAt& Rows : C.Shards) {
    std::string End = Rows.Dimension ? ", " + std::to_string(Rows.Dimension) + ")" : ")";
    Out.insert(Rows.Where.File, Rows.Where.Begin, "accelerator.shard(");
    Out.insert(Rows.Where.File, Rows.Where.End, End);
  }
}

} // namespace accel_rewrite
