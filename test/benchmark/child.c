/* Times programs that are run as children. */
#include "child.h"
#include "measure.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static pid_t start(const char *const *arguments, const int *output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output) {
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, output[0]);
    posix_spawn_file_actions_addclose(&actions, output[1]);
  }
  pid_t child;
  int error = posix_spawn(&child, arguments[0], &actions, NULL, (char **)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (!error)
    return child;
  fprintf(stderr, "ka-bench: cannot run %s: %s\n", arguments[0], strerror(error));
  return -1;
}

static bool succeeded(pid_t child, const char *program) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return true;
  fprintf(stderr, "ka-bench: %s failed\n", program);
  return false;
}

double child_run_ms(const char *const *arguments) {
  double begin = measure_now();
  pid_t child = start(arguments, NULL);
  if (child < 0 || !succeeded(child, arguments[0]))
    return -1;
  return 1e3 * (measure_now() - begin);
}

double child_first_line_ms(const char *const *arguments) {
  int output[2];
  if (pipe(output) != 0) {
    perror("ka-bench: pipe");
    return -1;
  }
  double begin = measure_now();
  pid_t child = start(arguments, output);
  close(output[1]);
  char byte = 0;
  ssize_t got;
  do
    got = read(output[0], &byte, 1);
  while (got > 0 && byte != '\n');
  double end = measure_now();
  close(output[0]);
  if (child < 0 || !succeeded(child, arguments[0]) || got <= 0)
    return -1;
  return 1e3 * (end - begin);
}

double child_number(const char *const *arguments) {
  int output[2];
  if (pipe(output) != 0) {
    perror("ka-bench: pipe");
    return -1;
  }
  pid_t child = start(arguments, output);
  close(output[1]);
  char text[256];
  size_t length = 0;
  ssize_t got;
  do {
    got = read(output[0], text + length, sizeof text - 1 - length);
    length += got > 0 ? (size_t)got : 0;
  } while (got > 0 && length < sizeof text - 1);
  text[length] = 0;
  close(output[0]);
  if (child < 0 || !succeeded(child, arguments[0]))
    return -1;
  char *end;
  double number = strtod(text, &end);
  if (end != text && number >= 0)
    return number;
  fprintf(stderr, "ka-bench: %s printed no number but '%s'\n", arguments[0], text);
  return -1;
}
