/* matmul: C = A B for matrices of any size, tile by tile in group memory.
 *
 * Computed naively, each element of A and B is fetched from memory as often as there are columns or
 * rows. Here the items of a group fetch a tile of each together, wait for one another, and use what
 * all have fetched: 16 times fewer fetches.
 */
#include "../example.h"

#include <stdio.h>
#include <stdlib.h>

#define TILE 16

/* One group computes one tile of C, one item one element. A is m x k, B is k x n, row by row.
 *
 * An item beyond the edge of C has nothing to compute but still fetches for the others: it may hold
 * the only piece of A that its row's neighbours lack. So the kernel is launched for whole tiles and
 * looks after the edges itself. */
[[ka::kernel, ka::group_size(TILE, TILE)]] void matmul(size_t m, size_t n, size_t k,
                                                       const float *restrict a,
                                                       const float *restrict b, float *restrict c) {
  ka_local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  size_t column = ka_global_id(0), row = ka_global_id(1);
  size_t x = ka_local_id(0), y = ka_local_id(1);

  float sum = 0;
  for (size_t start = 0; start < k; start += TILE) {
    /* Beyond the edges of A and B there are zeros, which add nothing. */
    a_tile[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
    b_tile[y][x] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
    ka_barrier(); /* the tiles are complete */
    for (size_t i = 0; i < TILE; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    ka_barrier(); /* nobody needs them any more */
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

/* The number of items for `size` elements in whole tiles. */
static size_t whole_tiles(size_t size) { return (size + TILE - 1) / TILE * TILE; }

/* The same in plain C. */
static void matmul_on_host(size_t m, size_t n, size_t k, const float *restrict a,
                           const float *restrict b, float *restrict c) {
  for (size_t row = 0; row < m; ++row) {
    for (size_t column = 0; column < n; ++column)
      c[row * n + column] = 0;
    for (size_t i = 0; i < k; ++i)
      for (size_t column = 0; column < n; ++column)
        c[row * n + column] += a[row * k + i] * b[i * n + column];
  }
}

/* Whole numbers from -8 to 8 in no visible order. */
static void fill(float *matrix, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    matrix[i] = (float)((int)(seed >> 16) % 17 - 8);
  }
}

int main(int argc, char **argv) {
  example_options(argc, argv, "Multiplies two matrices that no tile divides.", NULL);
  ka_backend *be = ka_default_backend();
  example_print_device(be);

  size_t m = 517, n = 389, k = 301;
  printf("size:    (%zu x %zu) times (%zu x %zu), tiles of %d x %d\n", m, k, k, n, TILE, TILE);
  float *a = ka_alloc(be, m * k * sizeof *a);
  float *b = ka_alloc(be, k * n * sizeof *b);
  float *c = ka_alloc(be, m * n * sizeof *c);
  float *expected = malloc(m * n * sizeof *expected);
  if (!a || !b || !c || !expected) {
    fprintf(stderr, "out of memory: %s\n", ka_error_message());
    return 1;
  }
  fill(a, m * k, 1);
  fill(b, k * n, 2);
  ka_ndrange range = ka_range(whole_tiles(n), whole_tiles(m));

  for (int run = 0; run < 2; ++run) {
    double start = example_now();
    KA_CHECK(ka_launch(be, range, matmul(m, n, k, a, b, c)));
    KA_CHECK(ka_synchronize(be));
    example_print_run(run, example_now() - start);
  }
  double start = example_now();
  matmul_on_host(m, n, k, a, b, expected);
  printf("plain C: %.3f ms\n", example_now() - start);

  /* All sums are whole numbers below 2^24: exact in float, in whatever order they are added. */
  size_t wrong = 0;
  for (size_t i = 0; i < m * n; ++i)
    wrong += c[i] != expected[i];
  printf("%zu of %zu elements differ\n", wrong, m * n);

  ka_free(a);
  ka_free(b);
  ka_free(c);
  free(expected);
  return example_finish(wrong == 0);
}
