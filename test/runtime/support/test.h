/* The frame of a runtime test: one file for each topic, each case a process of its own.
 *
 *   TEST(copies_zero_bytes) { CHECK_OK(ka_copy(...)); }
 *
 * A test program runs the case that is named on its command line; without arguments it runs all,
 * each in a child process. CTest runs each case by itself, with a time-out. */
#ifndef KA_TEST_RUNTIME_SUPPORT_TEST_H
#define KA_TEST_RUNTIME_SUPPORT_TEST_H

#include <ka/ka.h>
#include <string.h>

struct test_case {
  const char *name;
  void (*run)(void);
  struct test_case *next;
};

void test_add(struct test_case *test);

#define TEST(name)                                                                                 \
  static void name(void);                                                                          \
  static struct test_case name##_case = {#name, name, NULL};                                       \
  __attribute__((constructor)) static void name##_add(void) { test_add(&name##_case); }            \
  static void name(void)

/* All print both sides and end the case. */
#define CHECK(condition)                                                                           \
  ((condition) ? (void)0 : test_fail(__FILE__, __LINE__, "%s is false", #condition))
#define CHECK_OK(status) test_check_status((status), KA_OK, #status, __FILE__, __LINE__)
#define CHECK_STATUS(status, expected)                                                             \
  test_check_status((status), (expected), #status, __FILE__, __LINE__)
#define CHECK_INT(actual, expected)                                                                \
  test_check_int((long long)(actual), (long long)(expected), #actual, __FILE__, __LINE__)
#define CHECK_STRING(actual, expected)                                                             \
  test_check_string((actual), (expected), #actual, __FILE__, __LINE__)
/* The error message contains each of the pieces. */
#define CHECK_MESSAGE(...)                                                                         \
  test_check_pieces(ka_error_message(), (const char *const[]){__VA_ARGS__, NULL}, __FILE__,        \
                    __LINE__)
#define CHECK_CONTAINS(text, ...)                                                                  \
  test_check_pieces((text), (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)

__attribute__((noreturn, format(printf, 3, 4))) void test_fail(const char *file, int line,
                                                               const char *format, ...);
void test_check_status(ka_status actual, ka_status expected, const char *what, const char *file,
                       int line);
void test_check_int(long long actual, long long expected, const char *what, const char *file,
                    int line);
void test_check_string(const char *actual, const char *expected, const char *what, const char *file,
                       int line);
void test_check_pieces(const char *text, const char *const *pieces, const char *file, int line);

/* Whether the program is built with a sanitizer that has limits of its own. */
#ifdef __has_feature
#define TEST_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#define TEST_THREAD_SANITIZER  __has_feature(thread_sanitizer)
#else
#define TEST_ADDRESS_SANITIZER 0
#define TEST_THREAD_SANITIZER  0
#endif

/* Ends the case as skipped, saying why. */
__attribute__((noreturn, format(printf, 1, 2))) void test_skip(const char *format, ...);

/* The default backend, which must be there. */
ka_backend *test_backend(void);

/* Runs the function in a child process; returns its wait status, and what it wrote to stderr in
 * `text`, which may be NULL. */
int test_in_child(void (*run)(void), char *text, size_t bytes);

/* Memory of the process that is in RAM, in KiB. */
long test_resident_kilobytes(void);

#endif
