// printf, puts and putchar in kernels: the text is that of the host's own functions, whatever the
// conversion, in the order in which each item printed it, and none of it comes from items that do
// not exist. What stdout is given is looked at through a file that takes its place.
#include "capture.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <ka/task.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

enum { buffer_bytes = 1 << 16 };

static void check(bool good, const char *what) {
  if (!good) {
    fprintf(stderr, "%s\n", what);
    check_failures++;
  }
}

// ---- All conversions ----

struct values {
  int i, minus, width, precision, negative;
  unsigned u;
  long l;
  unsigned long ul;
  long long ll;
  unsigned long long ull;
  signed char sc;
  unsigned char uc;
  short s;
  unsigned short us;
  intmax_t j;
  size_t z;
  ptrdiff_t t;
  float f, tiny, inf, nan;
  double d, big;
  bool yes;
  const char *text, *none;
  void *pointer;
  char local[8];
};

#define FORMATS(print)                                                                             \
  print("no conversion, 100%%, %% %%%%\n");                                                        \
  print("%d %i %5d %-5d| %05d %+d % d %.3d %8.4d %-8.4d| %.0d\n", v->i, v->minus, v->i, v->i,      \
        v->minus, v->i, v->i, v->i, v->minus, v->i, 0 * v->i);                                     \
  print("%u %o %x %X %#o %#x %#X %08x %-#10x|\n", v->u, v->u, v->u, v->u, v->u, v->u, v->u, v->u,  \
        v->u);                                                                                     \
  print("%hhd %hhi %hhu %hhx %hhX %hho %hhd\n", v->sc, v->sc, v->uc, v->uc, v->uc, v->uc, v->i);   \
  print("%hd %hi %hu %hx %hX %ho %hu\n", v->s, v->s, v->us, v->us, v->us, v->us,                   \
        (unsigned short)v->i);                                                                     \
  print("%ld %li %lu %lx %lX %lo %20ld\n", v->l, v->l, v->ul, v->ul, v->ul, v->ul, v->l);          \
  print("%lld %lli %llu %llx %llX %llo\n", v->ll, v->ll, v->ull, v->ull, v->ull, v->ull);          \
  print("%jd %ji %ju %jx %zu %zx %td %ti\n", v->j, v->j, (uintmax_t)v->j, (uintmax_t)v->j, v->z,   \
        v->z, v->t, v->t);                                                                         \
  print("%" PRId64 " %" PRIx32 " %" PRIuMAX "\n", (int64_t)v->ll, (uint32_t)v->u,                  \
        (uintmax_t)v->ull);                                                                        \
  print("%c%c %5c%-5c|\n", v->text[0], 'x', v->text[1], v->i % 26 + 'a');                          \
  print("%f %F %e %E %g %G %a %A\n", v->d, v->d, v->d, v->d, v->d, v->d, v->d, v->d);              \
  print("%f %F %e %E %g %G %a %A\n", v->f, v->f, v->f, v->f, v->f, v->f, v->f, v->f);              \
  print("%10.3f %-10.3f| %+f % f %010.2f %#.0f %.0f %.12g %#g\n", v->d, v->d, v->d, v->d, v->d,    \
        v->d, v->d, v->d, v->d);                                                                   \
  print("%lf %le %lg %la %g %g %g\n", v->d, v->d, v->d, v->d, v->big, v->tiny, v->f / 3);          \
  print("%f %F %e %g %5f %f %F %-6g|\n", v->inf, v->inf, -v->inf, v->inf, v->inf, v->nan, v->nan,  \
        v->nan);                                                                                   \
  print("%s|%10s|%-10s|%.2s|%.0s|%10.3s|%s\n", v->text, v->text, v->text, v->text, v->text,        \
        v->text, v->none);                                                                         \
  print("%s %s %.3s %.*s\n", "a literal", v->yes ? "yes" : "no", "literal", v->precision,          \
        "literal");                                                                                \
  print("%s %.3s\n", v->local, v->local);                                                          \
  print("%*d|%-*d|%*d|%.*f|%*.*f|%.*d|%.*s|%.*s\n", v->width, v->i, v->width, v->i, -v->width,     \
        v->i, v->precision, v->d, v->width, v->precision, v->d, v->negative, v->i, v->precision,   \
        v->text, v->negative, v->text);                                                            \
  print("%p %20p %p\n", v->pointer, v->pointer, (void *)v);                                        \
  print("%d %d %d\n", v->yes, v->sc, v->us);                                                       \
  print("%s%s%s|%s%.*s|%s%s%s|%s|%d %s\n", v->text, v->local, "known", v->none, v->precision,      \
        v->text, "", "known too, longer", v->local, v->text, v->i, "last");                        \
  print(&"skipped %d\n"[8], v->i);                                                                 \
  print(format_of_a_table, v->i);                                                                  \
  print("%s", "")

static const char format_of_a_table[] = "from a table: %d\n";

[[ka::kernel]] void all_formats(const struct values *v) {
  FORMATS(printf);
  char own[8];
  for (int i = 0; i < 8; i++)
    own[i] = v->local[i] == 0 ? 0 : (char)(v->local[i] + v->yes);
  printf("own %s\n", own);
  puts("a line");
  puts(v->text);
  putchar('c');
  putchar(v->i % 26 + 'A');
  putchar('\n');
}

static void formats(void) {
  struct values *v = device_memory(sizeof *v);
  *v = (struct values){.i = 123456,
                       .minus = -42,
                       .width = 9,
                       .precision = 3,
                       .negative = -1,
                       .u = 0xdeadbeef,
                       .l = -1234567890123,
                       .ul = 0xfedcba9876543210,
                       .ll = INT64_MIN,
                       .ull = UINT64_MAX,
                       .sc = -7,
                       .uc = 200,
                       .s = -30000,
                       .us = 60000,
                       .j = INTMAX_MIN,
                       .z = SIZE_MAX,
                       .t = PTRDIFF_MIN,
                       .f = 3.14159265f,
                       .tiny = 1e-45f,
                       .inf = __builtin_inff(),
                       .nan = __builtin_nanf(""),
                       .d = 2.718281828459045,
                       .big = 1e300,
                       .yes = true,
                       .text = strcpy(device_memory(16), "some text"),
                       .pointer = v,
                       .local = "private"};
  static char expected[1 << 14];
  size_t n = 0;
#define TO_TEXT(...) n += (size_t)snprintf(expected + n, sizeof expected - n, __VA_ARGS__)
  FORMATS(TO_TEXT);
  TO_TEXT("own qsjwbuf\na line\nsome text\nc%c\n", v->i % 26 + 'A');
  struct capture c = capture(1);
  KA_CHECK(ka_launch(backend(), ka_range(1), all_formats(v)));
  KA_CHECK(ka_synchronize(backend()));
  check_text("formats", expected, captured(&c));
}

// ---- Vectors ----

typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float3 __attribute__((ext_vector_type(3)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef double double2 __attribute__((ext_vector_type(2)));
typedef double double3 __attribute__((ext_vector_type(3)));
typedef double double16 __attribute__((ext_vector_type(16)));
typedef char char2 __attribute__((ext_vector_type(2)));
typedef signed char char3 __attribute__((ext_vector_type(3)));
typedef unsigned char uchar4 __attribute__((ext_vector_type(4)));
typedef char char16 __attribute__((ext_vector_type(16)));
typedef short short3 __attribute__((ext_vector_type(3)));
typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int3 __attribute__((ext_vector_type(3)));
typedef unsigned uint4 __attribute__((ext_vector_type(4)));
typedef long long2 __attribute__((ext_vector_type(2)));
typedef long long8 __attribute__((ext_vector_type(8)));

[[ka::kernel]] void all_vectors(int k) {
  float f = (float)k;
  printf("%v2hlf|%v3hlf|%.1v4hlf|%8.2v8hlf\n", (float2){f, 1}, (float3){f, 1, 2},
         (float4){f, 1, 2, 3}, (float8){f, 1, 2, 3, 4, 5, 6, 7});
  printf("%v2lf|%.2v3le|%v16lg\n", (double2){f, 1}, (double3){f, 1, 2},
         (double16){f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  printf("%v2hhd|%v3hhd|%#v4hhx|%v16hhd\n", (char2){(char)k, 1}, (char3){-1, (signed char)k, 3},
         (uchar4){(unsigned char)k, 255, 1, 2},
         (char16){(char)k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  printf("%v3hd|%v2hld|%v3hli|%v4hlu\n", (short3){(short)k, -1, 3}, (int2){k, -1}, (int3){k, -2, 3},
         (uint4){(unsigned)k, -1u, 2, 3});
  printf("%v2ld|%v8lx\n", (long2){k, -1}, (long8){k, 1, 2, 3, 4, 5, 6, 7});
  // The length may be left out.
  printf("%v4f|%v3d|%v2g %d\n", (float4){f, 1, 2, 3}, (int3){k, 2, 3}, (double2){f, .5}, k);
}

static void vectors(void) {
  struct capture c = capture(1);
  KA_CHECK(ka_launch(backend(), ka_range(1), all_vectors(5)));
  KA_CHECK(ka_synchronize(backend()));
  check_text("vectors",
             "5.000000,1.000000|5.000000,1.000000,2.000000|5.0,1.0,2.0,3.0|    5.00,    1.00,    "
             "2.00,    3.00,    4.00,    5.00,    6.00,    7.00\n"
             "5.000000,1.000000|5.00e+00,1.00e+00,2.00e+00|5,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
             "5,1|-1,5,3|0x5,0xff,0x1,0x2|5,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
             "5,-1,3|5,-1|5,-2,3|5,4294967295,2,3\n"
             "5,-1|5,1,2,3,4,5,6,7\n"
             "5.000000,1.000000,2.000000,3.000000|5,2,3|5,0.5 5\n",
             captured(&c));
}

// ---- Many arguments, and results ----

#define TEN(x, at)                                                                                 \
  x[(at) + 0], x[(at) + 1], x[(at) + 2], x[(at) + 3], x[(at) + 4], x[(at) + 5], x[(at) + 6],       \
      x[(at) + 7], x[(at) + 8], x[(at) + 9]
#define TEN_D "%d %d %d %d %d %d %d %d %d %d "
#define TEN_F "%g %g %g %g %g %g %g %g %g %g "
#define MANY(print)                                                                                \
  print("0\n");                                                                                    \
  print("%d\n", x[0]);                                                                             \
  print("%d %g\n", x[0], y[1]);                                                                    \
  print(TEN_D "\n", TEN(x, 0));                                                                    \
  print(TEN_D TEN_F "\n", TEN(x, 0), TEN(y, 0));                                                   \
  print(TEN_D TEN_F TEN_D "\n", TEN(x, 0), TEN(y, 0), TEN(x, 5));                                  \
  print("%s " TEN_D "%s " TEN_F "%s\n", "first", TEN(x, 5), "second", TEN(y, 5), "third")

[[ka::kernel]] void many_arguments(const int *x, const float *y, int *results) {
  MANY(printf);
  results[0] = printf("x\n");
  results[1] = puts("y");
  results[2] = putchar('z' + 256);
  results[3] = printf("%s", "\n");
}

static void arguments(void) {
  int *x = device_memory(15 * sizeof *x), *results = device_memory(4 * sizeof *results);
  float *y = device_memory(15 * sizeof *y);
  for (int i = 0; i < 15; i++) {
    x[i] = i * i - 20;
    y[i] = (float)i / 8;
  }
  static char expected[1 << 12];
  size_t n = 0;
  MANY(TO_TEXT);
  TO_TEXT("x\ny\nz\n");
  struct capture c = capture(1);
  KA_CHECK(ka_launch(backend(), ka_range(1), many_arguments(x, y, results)));
  KA_CHECK(ka_synchronize(backend()));
  check_text("many arguments", expected, captured(&c));
  check(results[0] == 0 && results[1] == 0 && results[2] == 'z' && results[3] == 0,
        "results of printing are wrong");
}

// ---- Many items: the lines of each are there, once, in its order ----

static void tell(size_t item, int step) { printf("item %zu step %d\n", item, step); }

[[ka::kernel]] void plain(int steps) {
  for (int s = 0; s < steps; s++)
    tell(ka_global_id(0), s);
}
[[ka::kernel, ka::group_size(32)]] void with_barriers(int steps) {
  ka_local int turn;
  size_t i = ka_global_linear_id();
  for (int s = 0; s < steps; s++) {
    if (ka_local_linear_id() == 0)
      turn = s;
    ka_barrier();
    // Under a condition that all items share, and where they part.
    if (s % 2)
      tell(i, turn);
    else if (i % 2)
      printf("item %zu step %d\n", i, turn);
    else
      tell(i, turn);
    ka_barrier();
  }
}

static void check_steps(const char *what, char *text, size_t items, int steps) {
  int *next = calloc(items, sizeof *next);
  size_t lines = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (strcmp(line, "host") == 0)
      continue;
    lines++;
    size_t item;
    int step, end = 0;
    if (sscanf(line, "item %zu step %d%n", &item, &step, &end) != 2 || line[end] || item >= items ||
        step != next[item]++) {
      fprintf(stderr, "%s: unexpected line '%s'\n", what, line);
      check_failures++;
      break;
    }
  }
  if (lines != items * (size_t)steps) {
    fprintf(stderr, "%s: %zu lines for %zu items and %d steps\n", what, lines, items, steps);
    check_failures++;
  }
  free(next);
  free(text);
}

static void items(void) {
  struct capture c = capture(1);
  KA_CHECK(ka_launch(backend(), ka_with_group(ka_range(301), 64), plain(3)));
  KA_CHECK(ka_synchronize(backend()));
  check_steps("plain", captured(&c), 301, 3);
  c = capture(1);
  KA_CHECK(ka_launch(backend(), ka_range(75), with_barriers(4)));
  KA_CHECK(ka_synchronize(backend()));
  check_steps("with barriers", captured(&c), 75, 4);
  c = capture(1);
  KA_CHECK(ka_launch(backend(), ka_range(64), with_barriers(2)));
  KA_CHECK(ka_synchronize(backend()));
  check_steps("full groups", captured(&c), 64, 2);
}

// ---- Order: the host's text before, then the kernels', at whatever says that they are done ----

[[ka::kernel]] void number(int n) { printf("%d\n", n); }

static void order(void) {
  struct capture c = capture(1);
  printf("before\n");
  ka_event *event;
  KA_CHECK(ka_launch(backend(), ka_range(1), number(1)));
  KA_CHECK(ka_record_event(backend(), &event));
  KA_CHECK(ka_launch(backend(), ka_range(1), number(3)));
  KA_CHECK(ka_event_wait(event));
  KA_CHECK(ka_synchronize(backend()));
  ka_event_release(event);
  printf("after\n");
  check_text("order", "before\n1\n3\nafter\n", captured(&c));

  c = capture(1);
  KA_CHECK(ka_launch(backend(), ka_range(1), number(1)));
  KA_CHECK(ka_record_event(backend(), &event));
  KA_CHECK(ka_event_wait(event));
  check_text("wait for an event", "1\n", captured(&c));
  ka_event_release(event);

  // Also when it is known already that the event has passed.
  c = capture(1);
  KA_CHECK(ka_launch(backend(), ka_range(1), number(2)));
  KA_CHECK(ka_record_event(backend(), &event));
  int *other = device_memory(sizeof *other);
  ka_event *later;
  KA_CHECK(ka_copy(backend(), other, (const int[]){1}, sizeof *other));
  KA_CHECK(ka_record_event(backend(), &later));
  while (!ka_event_query(later))
    sched_yield();
  check(ka_event_query(event), "an event before one that has passed has not");
  check_text("query of an event", "2\n", captured(&c));
  ka_event_release(event);
  ka_event_release(later);

  // More than the buffer holds, but emptied meanwhile: waiting is enough, whoever does it.
  c = capture(1);
  for (int n = 0; n < 4000; n++) {
    KA_CHECK(ka_launch(backend(), ka_range(1), number(n)));
    if (n % 500 == 0)
      KA_CHECK(ka_synchronize(backend()));
  }
  KA_CHECK(ka_synchronize(backend()));
  static char expected[1 << 15];
  size_t n = 0;
  for (int i = 0; i < 4000; i++)
    TO_TEXT("%d\n", i);
  check_text("many launches", expected, captured(&c));
}

// ---- More than the buffer holds ----

[[ka::kernel]] void fill(int *failed) {
  if (printf("item %zu step %d and some more text that takes room\n", ka_global_id(0), 0) < 0)
    __atomic_fetch_add(failed, 1, __ATOMIC_RELAXED);
}
[[ka::kernel]] void fill_differently(int *failed) {
  if (puts("a line of quite another length than those that were there be") < 0)
    __atomic_fetch_add(failed, 1, __ATOMIC_RELAXED);
}
[[ka::kernel]] void huge(const char *text, int *result) { *result = printf("%s", text); }

static void overflow(void) {
  enum { count = 5000 };
  int *failed = device_memory(sizeof *failed);
  struct capture out = capture(1), err = capture(2);
  KA_CHECK(ka_launch(backend(), ka_range(count), fill(failed)));
  KA_CHECK(ka_synchronize(backend()));
  char *message = captured(&err), *text = captured(&out);
  size_t lines = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
    if (!strstr(line, " step 0 and some more text that takes room"))
      check(false, "a line that was printed when the buffer was full is torn");
  unsigned bytes = 0, lost = 0;
  check(sscanf(message,
               "ka: kernels printed more than the %u bytes that are kept until the host "
               "prints them: %u calls",
               &bytes, &lost) == 2 &&
            bytes == buffer_bytes && strstr(message, "KA_PRINT_BUFFER"),
        "lost output is not told");
  check(lines && (int)lost == *failed && lines + lost == count,
        "what was printed and what was lost are not all");
  free(message);
  free(text);

  // Nothing of what was there before shows behind what is full now.
  *failed = 0;
  out = capture(1), err = capture(2);
  KA_CHECK(ka_launch(backend(), ka_range(count), fill_differently(failed)));
  KA_CHECK(ka_synchronize(backend()));
  message = captured(&err), text = captured(&out);
  lines = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
    if (strcmp(line, "a line of quite another length than those that were there be") != 0)
      check(false, "what was printed earlier shows again");
  check(lines && *failed && lines + (size_t)*failed == count && !strchr(message, '\n')[1],
        "a second text that is too long is not told as the first");
  free(message);
  free(text);

  // A text that is longer than the buffer is lost as a whole; one just shorter is not.
  char *long_text = device_memory(2 * buffer_bytes);
  memset(long_text, 'x', 2 * buffer_bytes - 1);
  out = capture(1), err = capture(2);
  KA_CHECK(ka_launch(backend(), ka_range(1), huge(long_text, failed)));
  KA_CHECK(ka_synchronize(backend()));
  message = captured(&err);
  check_text("too long", "", captured(&out));
  check(*failed < 0 && strstr(message, "1 calls"), "a text longer than the buffer is not told");
  free(message);
  long_text[buffer_bytes - 64] = 0;
  out = capture(1);
  KA_CHECK(ka_launch(backend(), ka_range(1), huge(long_text, failed)));
  KA_CHECK(ka_synchronize(backend()));
  check_text("long", long_text, captured(&out));
}

// ---- Threads and tasks, each with a queue of its own, while the host prints, too ----

[[ka::kernel]] void of_thread(int thread) {
  printf("item %d step %d\n", (int)ka_global_id(0) + 200 * thread, 0);
  printf("item %d step %d\n", (int)ka_global_id(0) + 200 * thread, 1);
}

static void *print_in_thread(void *thread) {
  KA_CHECK(ka_launch(backend(), ka_range(200), of_thread(*(int *)thread)));
  KA_CHECK(ka_synchronize(backend()));
  return NULL;
}

static ka_status print_in_task(void *thread, void **result) {
  *result = NULL;
  KA_CHECK(ka_launch(backend(), ka_range(200), of_thread(*(int *)thread)));
  return KA_OK; // its end waits for the kernel
}

static void *print_on_host(void *stop) {
  while (!atomic_load((atomic_bool *)stop))
    printf("host\n");
  return NULL;
}

static void threads(void) {
  enum { count = 4 };
  pthread_t threads[count];
  ka_task *tasks[count];
  int numbers[count];
  struct capture c = capture(1);
  pthread_t host;
  atomic_bool stop = false;
  pthread_create(&host, NULL, print_on_host, &stop);
  for (int i = 0; i < count; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, print_in_thread, &numbers[i]);
  }
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
  atomic_store(&stop, true);
  pthread_join(host, NULL);
  check_steps("threads", captured(&c), 200 * count, 2);
  c = capture(1);
  for (int i = 0; i < count; i++)
    tasks[i] = ka_spawn(backend(), print_in_task, &numbers[i]);
  for (int i = 0; i < count; i++) {
    KA_CHECK(ka_task_wait(tasks[i]));
    ka_task_release(tasks[i]);
  }
  check_steps("tasks", captured(&c), 200 * count, 2);
}

// ---- Programs that end without waiting, or whose stdout takes nothing ----

static int child(const char *program, const char *mode, const char *variable) {
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    if (variable)
      setenv("KA_PRINT_BUFFER", variable, 1);
    execl(program, program, mode, (char *)NULL);
    _exit(2);
  }
  int status;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void *wait_and_print(void *event) {
  KA_CHECK(ka_event_wait(event));
  fflush(stdout);
  close(1);
  return NULL;
}

// While one thread is kept by a full pipe, a query of another is not.
static int query_while_another_prints(void) {
  int ends[2];
  if (pipe(ends) != 0 || dup2(ends[1], 1) < 0 || close(ends[1]) != 0)
    return 1;
  ka_event *event;
  pthread_t thread;
  KA_CHECK(ka_launch(backend(), ka_range(1000), plain(10)));
  KA_CHECK(ka_record_event(backend(), &event));
  pthread_create(&thread, NULL, wait_and_print, event);
  char text[4096];
  ssize_t count = read(ends[0], text, 1); // it has begun, and will not end
  bool passed = ka_event_query(event);
  while (count > 0)
    count = read(ends[0], text, sizeof text);
  pthread_join(thread, NULL);
  ka_event_release(event);
  return !passed;
}

static int as_child(const char *mode) {
  if (strcmp(mode, "query") == 0)
    return query_while_another_prints();
  if (strcmp(mode, "closed") == 0)
    close(1);
  if (strcmp(mode, "full") == 0)
    dup2(open("/dev/full", O_WRONLY), 1);
  ka_status status = ka_launch(backend(), ka_range(3), plain(1));
  if (strcmp(mode, "variable") == 0)
    return status == KA_ERROR_INVALID_ARGUMENT && strstr(ka_error_message(), "KA_PRINT_BUFFER") ? 0
                                                                                                : 1;
  KA_CHECK(status);
  if (strcmp(mode, "exit") != 0)
    KA_CHECK(ka_synchronize(backend()));
  exit(0);
}

static void ends(const char *program) {
  struct capture c = capture(1);
  check(child(program, "exit", NULL) == 0, "a program that does not wait does not end well");
  check_steps("end of the program", captured(&c), 3, 1);
  check(child(program, "closed", NULL) == 0, "a closed stdout ends the program");
  check(child(program, "full", NULL) == 0, "a full stdout ends the program");
  check(child(program, "query", "4000000") == 0, "a query waits for another thread's printing");
  check(child(program, "variable", "many") == 0, "a wrong KA_PRINT_BUFFER is not told");
  check(child(program, "variable", "8") == 0, "a small KA_PRINT_BUFFER is not told");
}

int main(int argc, char **argv) {
  if (argc > 1)
    return as_child(argv[1]);
  char bytes[16];
  snprintf(bytes, sizeof bytes, "%d", buffer_bytes);
  setenv("KA_PRINT_BUFFER", bytes, 1);
  backend();
  formats();
  vectors();
  arguments();
  items();
  order();
  overflow();
  threads();
  ends(argv[0]);
  return check_result();
}
