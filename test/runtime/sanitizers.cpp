// How the sanitizers treat what isn't compiled with them: libtorch, gloo and what those use. Asked
// for by their run-time when the program starts.

#if defined(__SANITIZE_ADDRESS__)

extern "C" const char* __asan_default_options() {
  // new in one of libtorch's libraries and free in another is no error of ours.
  return "alloc_dealloc_mismatch=0:detect_stack_use_after_return=1";
}

#elif defined(__SANITIZE_THREAD__)

extern "C" const char* __tsan_default_options() {
  // A test's processes are forked from one with a single thread (processes.cpp).
  return "die_after_fork=0:halt_on_error=0:second_deadlock_stack=1";
}

#endif
