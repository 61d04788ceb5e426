// Waiting for a word in memory that several processes share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace accel::detail {

/// A word that processes wait for. The kernel looks at it too, so it must be a plain integer.
using Word = std::atomic<uint32_t>;
static_assert(sizeof(Word) == sizeof(uint32_t) && Word::is_always_lock_free);

/// Sleeps while `word` holds `seen`, for up to `most`. May return early for no reason.
void sleep_while(const Word& word, uint32_t seen, std::chrono::milliseconds most);

/// Wakes every process that sleeps on `word`.
void wake_all(const Word& word);

/// Looks at `word` up to `times` times, for as long as it holds `seen`; true where it changed.
bool spin_while(const Word& word, uint32_t seen, int times);

} // namespace accel::detail
