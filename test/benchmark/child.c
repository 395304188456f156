/* Programs that are run as children: timed, or talked to. */
#define _GNU_SOURCE /* pipe2 */
#include "child.h"
#include "measure.h"

#include <errno.h>
#include <fcntl.h>
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

bool child_start(struct child *child, const char *const *arguments) {
  int output[2];
  *child = (struct child){.program = arguments[0], .pid = -1};
  if (pipe2(output, O_CLOEXEC) != 0) {
    perror("ka-bench: pipe");
    return false;
  }
  child->pid = start(arguments, output);
  close(output[1]);
  child->output = child->pid >= 0 ? fdopen(output[0], "r") : NULL;
  return child->output;
}

bool child_line(struct child *child, char *line, int bytes) {
  return fgets(line, bytes, child->output);
}

bool child_end(struct child *child) {
  fclose(child->output);
  return succeeded(child->pid, child->program);
}

double child_first_line_ms(const char *const *arguments) {
  struct child child;
  char line[256];
  double begin = measure_now();
  if (!child_start(&child, arguments))
    return -1;
  bool has_line = child_line(&child, line, sizeof line);
  double end = measure_now();
  return child_end(&child) && has_line ? 1e3 * (end - begin) : -1;
}

double child_number(const char *const *arguments) {
  struct child child;
  char text[256] = "", *end;
  if (!child_start(&child, arguments))
    return -1;
  child_line(&child, text, sizeof text);
  if (!child_end(&child))
    return -1;
  double number = strtod(text, &end);
  if (end != text && number >= 0)
    return number;
  fprintf(stderr, "ka-bench: %s printed no number but '%s'\n", arguments[0], text);
  return -1;
}
