/* ka_event_fd: an eventfd of which the program has one descriptor and libka another until it has
 * been written, so that the program may close its own at any time. */
#include "runtime/core/event.h"
#include "runtime/core/process.h"
#include "runtime/core/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct signal_file {
  struct ka__completion completion; /* first: its address is the structure's */
  int file;
};

static void has_passed(struct ka__completion *completion) {
  struct signal_file *s = (struct signal_file *)completion;
  eventfd_write(s->file, 1); /* cannot fail: the count was 0 */
  close(s->file);
  free(s);
}

static int no_descriptor(int error) {
  ka__fail(KA_ERROR_OUT_OF_MEMORY,
           "ka_event_fd: the system gives no file descriptor: %s; close some, or raise the limit "
           "(ulimit -n)",
           strerror(error));
  return -1;
}

static int get_file(const ka_event *event) {
  struct signal_file *s = malloc(sizeof *s);
  if (!s) {
    ka__fail(KA_ERROR_OUT_OF_MEMORY, "ka_event_fd: no host memory");
    return -1;
  }
  s->completion.function = has_passed;
  s->file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int given = s->file < 0 ? -1 : fcntl(s->file, F_DUPFD_CLOEXEC, 0);
  if (given < 0) {
    int error = errno;
    if (s->file >= 0)
      close(s->file);
    free(s);
    return no_descriptor(error);
  }
  if (ka__event_notify(event, &s->completion) == KA_OK)
    return given;
  close(s->file);
  close(given);
  free(s);
  return -1;
}

int ka_event_fd(const ka_event *event) {
  if (!ka__enter()) {
    ka__refused("ka_event_fd");
    return -1;
  }
  int file = get_file(event);
  ka__leave();
  return file;
}
