/* Running clang. */
#define _GNU_SOURCE /* memfd_create */
#include "run.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Linux takes 2 MiB of arguments and environment with its usual limits. Above half of it the
 * arguments go through a response file: one without a name, that is gone when clang is. */
enum { MOST_BYTES_OF_ARGUMENTS = 1 << 20 };

static bool write_quoted(FILE *file, const char *text) {
  bool good = fputc('"', file) != EOF;
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\')
      good = good && fputc('\\', file) != EOF;
    good = good && fputc(*text, file) != EOF;
  }
  return good && fputs("\"\n", file) != EOF;
}

/* The command itself, or the same with its arguments in a response file. */
static struct arguments within_limits(const struct arguments *command) {
  size_t bytes = 0;
  for (size_t i = 0; i < command->count; ++i)
    bytes += strlen(command->items[i]) + 1 + sizeof(char *);
  if (bytes <= MOST_BYTES_OF_ARGUMENTS)
    return *command;

  int fd = memfd_create("kacc-arguments", 0);
  int to_write = fd < 0 ? -1 : dup(fd); /* closed with the stream; fd stays for clang */
  FILE *file = to_write < 0 ? NULL : fdopen(to_write, "w");
  if (!file)
    return *command;
  bool good = true;
  for (size_t i = 1; i < command->count; ++i)
    good = good && write_quoted(file, command->items[i]);
  if (fclose(file) != 0 || !good)
    return *command;
  struct arguments shortened = {0};
  arguments_add(&shortened, command->items[0]);
  arguments_add(&shortened, text_format("@/proc/self/fd/%d", fd));
  return shortened;
}

int run_instead(const struct arguments *command) {
  struct arguments list = within_limits(command);
  execv(list.items[0], (char **)list.items);
  report_error("cannot run %s: %s", list.items[0], strerror(errno));
  return 1;
}

void run_and_read(const struct arguments *command, char *text, size_t size) {
  size_t length = 0;
  text[0] = '\0';
  int ends[2];
  if (pipe(ends) != 0)
    return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  if (ends[1] != STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  int error =
      posix_spawn(&child, command->items[0], &actions, NULL, (char **)command->items, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (!error) {
    /* To its end, so that the command is not ended by a closed pipe. */
    char rest[4096];
    for (;;) {
      bool full = length + 1 == size;
      ssize_t got =
          full ? read(ends[0], rest, sizeof rest) : read(ends[0], text + length, size - 1 - length);
      if (got == 0 || (got < 0 && errno != EINTR))
        break;
      if (got > 0 && !full)
        length += (size_t)got;
    }
    text[length] = '\0';
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  close(ends[0]);
}

int run_and_wait(const struct arguments *command) {
  struct arguments list = within_limits(command);
  pid_t child;
  int error = posix_spawn(&child, list.items[0], NULL, NULL, (char **)list.items, environ);
  if (error) {
    report_error("cannot run %s: %s", list.items[0], strerror(error));
    return 1;
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) {
      report_error("cannot wait for %s: %s", list.items[0], strerror(errno));
      return 1;
    }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
