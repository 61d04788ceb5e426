// How the sanitizers treat what isn't compiled with them: libtorch, gloo and what those use. Asked
// for by their run-time when the program starts.

#if defined(__SANITIZE_ADDRESS__)

extern "C" const char* __asan_default_options() {
  // new in one of libtorch's libraries and free in another is no error of ours.
  return "alloc_dealloc_mismatch=0:detect_stack_use_after_return=1";
}

extern "C" const char* __lsan_default_suppressions() {
  // A process that gives its group up after an error leaves the group's memory on purpose
  // (Group::abandon): destroying it would wait for peers that may never come.
  return "leak:accel::detail::Group::Group\n";
}

#elif defined(__SANITIZE_THREAD__)

extern "C" const char* __tsan_default_options() {
  // ignore_noninstrumented_modules: locks and atomics inside of libtorch and gloo are not seen, so
  // neither may be the memory that they guard with them. die_after_fork: a test's processes are
  // forked from one with a single thread (processes.cpp).
  return "ignore_noninstrumented_modules=1:die_after_fork=0";
}

#endif
