//===- Shard.cpp - Each process takes its rows of a batch made by hand ----===//
#include "rules/Rules.h"

namespace accel_rewrite {

void shardRule(const Facts&, const Change& C, EditList& Out) {
  for (const Span& Rows : C.Shards) {
    Out.insert(Rows.File, Rows.Begin, "accelerator.shard(");
    Out.insert(Rows.File, Rows.End, ")");
  }
}

} // namespace accel_rewrite
