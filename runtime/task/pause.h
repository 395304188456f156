/* One step of a loop that looks at memory until another thread changes it. */
#ifndef KA_RUNTIME_TASK_PAUSE_H
#define KA_RUNTIME_TASK_PAUSE_H

static inline void ka__pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif
