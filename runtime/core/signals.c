/* Blocks the signals of the calling thread around steps of a driver. */
#include "runtime/core/signals.h"

#include <pthread.h>

/* What comes from the thread's own instructions must never be blocked. */
static void leave_out_faults(sigset_t *set) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
    sigdelset(set, faults[i]);
}

void ka__signals_block_all(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  leave_out_faults(&all);
  pthread_sigmask(SIG_BLOCK, &all, before);
}

void ka__signals_block_handled(sigset_t *before) {
  sigset_t handled;
  sigemptyset(&handled);
  for (int number = 1; number <= SIGRTMAX; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 &&
        ((action.sa_flags & SA_SIGINFO) ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)))
      sigaddset(&handled, number);
  }
  leave_out_faults(&handled);
  pthread_sigmask(SIG_BLOCK, &handled, before);
}

void ka__signals_restore(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }

int ka__start_thread(void *(*run)(void *), void *argument) {
  sigset_t signals;
  pthread_t thread;
  ka__signals_block_all(&signals);
  int error = pthread_create(&thread, NULL, run, argument);
  ka__signals_restore(&signals);
  if (!error)
    pthread_detach(thread);
  return error;
}
