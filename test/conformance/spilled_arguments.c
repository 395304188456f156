// More arguments than devices promise to take: structures, pointers and scalars, by the hundred,
// with many launches under way in several threads. Every value is checked.
#include "check.h"
#include <pthread.h>

// clang-format off: it finds no lasting form for these lists.
#define TEN(F, n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
#define HUNDRED(F, n)                                                                              \
  TEN(F, n##0) TEN(F, n##1) TEN(F, n##2) TEN(F, n##3) TEN(F, n##4)                                 \
  TEN(F, n##5) TEN(F, n##6) TEN(F, n##7) TEN(F, n##8) TEN(F, n##9)
#define TWO_HUNDRED(F) HUNDRED(F, 1) HUNDRED(F, 2)
// clang-format on
#define NUMBER(n) (n - 100)

struct block {
  int v[14];
  const int *more; // two integers
};

#define BLOCK_PARAMETER(n) , struct block b##n
#define BLOCK_VALUE(n)     to[NUMBER(n)] = b##n.v[i % 14] + b##n.more[i & 1] * scale;
#define BLOCK_ARGUMENT(n)  , blocks[NUMBER(n)]
[[ka::kernel]] void structures(int *restrict out, int scale TWO_HUNDRED(BLOCK_PARAMETER)) {
  int i = (int)ka_global_id(0);
  int *to = out + i * 200;
  TWO_HUNDRED(BLOCK_VALUE)
}

// With group memory, a barrier, and a range that groups do not divide.
struct blocks {
  struct block of[20];
};
[[ka::kernel]] void with_barrier(int *out, ka_local int *tile, int n, struct blocks many,
                                 const struct block *a) {
  int i = (int)ka_global_id(0), l = (int)ka_local_id(0);
  tile[l] = many.of[i % 20].v[i % 14];
  ka_barrier();
  out[i] = tile[0] + tile[l] * n + a->v[i % 14];
}

#define POINTER_PARAMETER(n) , int *restrict p##n
#define POINTER_STORE(n)     p##n[i] = NUMBER(n) + i;
#define POINTER_ARGUMENT(n)  , out + NUMBER(n) * 8
[[ka::kernel]] void pointers(int unused TWO_HUNDRED(POINTER_PARAMETER)) {
  int i = (int)ka_global_id(0) + unused;
  TWO_HUNDRED(POINTER_STORE)
}

// Few bytes, but more parameters than SPIR-V knows.
#define CHAR_PARAMETER(n) , signed char c##n
#define CHAR_VALUE(n)     sum = sum * 3 + c##n;
#define CHAR_ARGUMENT(n)  , (signed char)(n * 7)
#define CHAR_EXPECTED(n)  expected = expected * 3 + (unsigned)(signed char)(n * 7);
[[ka::kernel]] void characters(unsigned *out TWO_HUNDRED(CHAR_PARAMETER)
                                   HUNDRED(CHAR_PARAMETER, 3)) {
  unsigned sum = 0;
  TWO_HUNDRED(CHAR_VALUE)
  HUNDRED(CHAR_VALUE, 3)
  *out = sum;
}

enum { threads = 4, launches = 25, items = 5 };

// Each launch gets other values, and pointers to memory that is freed before it has run.
static void *launch_many(void *argument) {
  int thread = *(int *)argument, *out = device_memory(launches * items * 200 * sizeof *out);
  static _Thread_local struct block blocks[200];
  for (int k = 0; k < launches; k++) {
    int *more = device_memory(2 * sizeof *more);
    more[0] = thread, more[1] = k;
    for (int b = 0; b < 200; b++) {
      blocks[b].more = more;
      for (int j = 0; j < 14; j++)
        blocks[b].v[j] = thread * 100000 + k * 1000 + b * 14 + j;
    }
    int *to = out + k * items * 200;
    KA_CHECK(
        ka_launch(backend(), ka_range(items), structures(to, k + 1 TWO_HUNDRED(BLOCK_ARGUMENT))));
    KA_CHECK(ka_free(more));
  }
  KA_CHECK(ka_synchronize(backend()));
  for (int k = 0; k < launches; k++)
    for (int i = 0; i < items; i++)
      for (int b = 0; b < 200; b++) {
        int e = thread * 100000 + k * 1000 + b * 14 + i % 14 + (i & 1 ? k : thread) * (k + 1);
        CHECK_SAME("structures", &e, &out[(k * items + i) * 200 + b], 1);
      }
  return NULL;
}

static void check_barrier(void) {
  enum { n = 37, group = 8 };
  struct blocks many;
  struct block *a = device_memory(sizeof *a);
  int *out = device_memory(n * sizeof *out), expected[n];
  for (int b = 0; b < 20; b++)
    for (int j = 0; j < 14; j++)
      many.of[b].v[j] = b * 100 + j;
  for (int j = 0; j < 14; j++)
    a->v[j] = j * 10000;
  for (int i = 0; i < n; i++) {
    int first = i / group * group;
    expected[i] = many.of[first % 20].v[first % 14] + many.of[i % 20].v[i % 14] * 3 + a->v[i % 14];
  }
  KA_CHECK(ka_launch(backend(), ka_with_group(ka_range(n), group),
                     with_barrier(out, ka_scratch(group * sizeof(int)), 3, many, a)));
  KA_CHECK(ka_synchronize(backend()));
  CHECK_SAME("with a barrier", expected, out, n);
}

static void check_pointers(void) {
  int *out = device_memory(200 * 8 * sizeof *out), expected[200 * 8];
  for (int i = 0; i < 200 * 8; i++)
    expected[i] = i / 8 + i % 8;
  KA_CHECK(ka_launch(backend(), ka_range(8), pointers(0 TWO_HUNDRED(POINTER_ARGUMENT))));
  KA_CHECK(ka_synchronize(backend()));
  CHECK_SAME("pointers", expected, out, 200 * 8);
}

static void check_characters(void) {
  unsigned *out = device_memory(sizeof *out), expected = 0;
  TWO_HUNDRED(CHAR_EXPECTED)
  HUNDRED(CHAR_EXPECTED, 3)
  KA_CHECK(ka_launch(backend(), ka_range(1),
                     characters(out TWO_HUNDRED(CHAR_ARGUMENT) HUNDRED(CHAR_ARGUMENT, 3))));
  KA_CHECK(ka_synchronize(backend()));
  CHECK_SAME("characters", &expected, out, 1);
}

int main(void) {
  backend(); // before there are threads
  int numbers[threads];
  pthread_t thread[threads];
  for (int t = 0; t < threads; t++) {
    numbers[t] = t;
    if (pthread_create(&thread[t], NULL, launch_many, &numbers[t]) != 0)
      return 1;
  }
  for (int t = 0; t < threads; t++)
    pthread_join(thread[t], NULL);
  check_barrier();
  check_pointers();
  check_characters();
  return check_result();
}
