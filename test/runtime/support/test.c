/* The frame of a runtime test: main, checks, child processes. */
#include "test/runtime/support/test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_SKIPPED = 77 };

static struct test_case *cases, **cases_end = &cases;

void test_add(struct test_case *test) {
  *cases_end = test;
  cases_end = &test->next;
}

void test_fail(const char *file, int line, const char *format, ...) {
  fprintf(stderr, "%s:%d: ", file, line);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  /* Not exit: whatever is wrong, the exit functions must not hide it. */
  _exit(EXIT_FAILURE);
}

void test_check_status(ka_status actual, ka_status expected, const char *what, const char *file,
                       int line) {
  if (actual != expected)
    test_fail(file, line, "%s is %s, expected %s; message: %s", what, ka_status_name(actual),
              ka_status_name(expected), ka_error_message());
}

void test_check_int(long long actual, long long expected, const char *what, const char *file,
                    int line) {
  if (actual != expected)
    test_fail(file, line, "%s is %lld, expected %lld", what, actual, expected);
}

void test_check_string(const char *actual, const char *expected, const char *what, const char *file,
                       int line) {
  if (!actual || strcmp(actual, expected) != 0)
    test_fail(file, line, "%s is \"%s\", expected \"%s\"", what, actual ? actual : "(NULL)",
              expected);
}

void test_check_pieces(const char *text, const char *const *pieces, const char *file, int line) {
  for (; *pieces; pieces++)
    if (!strstr(text, *pieces))
      test_fail(file, line, "the text lacks \"%s\": %s", *pieces, text);
}

void test_skip(const char *format, ...) {
  printf("skipped: ");
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  exit(EXIT_SKIPPED);
}

ka_backend *test_backend(void) {
  ka_backend *backend = ka_default_backend();
  if (!backend)
    test_fail(__FILE__, __LINE__, "no backend: %s", ka_error_message());
  return backend;
}

int test_in_child(void (*run)(void), char *text, size_t bytes) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  fflush(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    if (text)
      dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    run();
    exit(EXIT_SUCCESS);
  }
  close(ends[1]);
  size_t length = 0;
  char rest[256];
  for (ssize_t n; (n = read(ends[0], rest, sizeof rest)) > 0;)
    for (ssize_t i = 0; i < n && text && length + 1 < bytes; i++)
      text[length++] = rest[i];
  if (text && bytes)
    text[length] = 0;
  close(ends[0]);
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  return status;
}

long test_resident_kilobytes(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file);
  long size = 0, resident = 0;
  CHECK_INT(fscanf(file, "%ld %ld", &size, &resident), 2);
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static int run_all(void) {
  int failed = 0;
  for (const struct test_case *test = cases; test; test = test->next) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      test->run();
      exit(EXIT_SUCCESS);
    }
    int status = -1;
    if (child > 0)
      waitpid(child, &status, 0);
    bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED;
    bool passed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    printf("%s %s\n", passed ? "passed " : skipped ? "skipped" : "FAILED ", test->name);
    failed += !passed && !skipped;
  }
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  if (argc == 1)
    return run_all();
  for (const struct test_case *test = cases; test; test = test->next)
    if (strcmp(test->name, argv[1]) == 0) {
      test->run();
      return EXIT_SUCCESS;
    }
  fprintf(stderr, "there is no test case '%s'\n", argv[1]);
  return EXIT_FAILURE;
}
