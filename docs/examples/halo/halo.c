/* halo: a plate that is heated at its edges, cut into strips of rows, one for each MPI rank.
 *
 * Each step replaces every place by the mean of its four neighbours (Jacobi's method for Laplace's
 * equation). A rank needs the rows next to its strip, the halo, from the ranks above and below. It
 * computes its inner rows, which need no halo, while the halo travels, and its first and last row
 * when the halo is there.
 *
 * Sums and a product with 1/4 are rounded alike everywhere, so the result has the same bits for any
 * number of ranks, and on any device.
 */
#include "../example.h"

#include <ka/task.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 14 };

/* The value of a place one step later. Plain C: called by the kernel and by the host alike. */
static inline float relax(const float *t, size_t i, size_t stride) {
  return 0.25f * ((t[i - stride] + t[i + stride]) + (t[i - 1] + t[i + 1]));
}

/* Of every `apart`-th row from `first` on, all but the places at the edges. */
[[ka::kernel]] void relax_rows(const float *restrict t, float *restrict next, size_t stride,
                               size_t first, size_t apart) {
  size_t column = 1 + ka_global_id(0), row = first + apart * ka_global_id(1);
  next[row * stride + column] = relax(t, row * stride + column, stride);
}

/* ---- Waiting for MPI ---- */

/* What is under way with the ranks above and below. */
struct exchange {
  MPI_Request requests[4];
};

static ka_status test_requests(void *object, bool *complete) {
  struct exchange *exchange = object;
  int done;
  if (MPI_Testall(4, exchange->requests, &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
    return KA_ERROR_DRIVER;
  *complete = done;
  return KA_OK;
}

/* MPI does not call back, so there is no `subscribe`. MPI_Waitall as `wait` would run on a worker
 * thread, for which MPI has to allow calls from several threads at once, and which would look again
 * and again just as well, without leaving the core to the kernels. Not cut short: MPI uses the rows
 * until it is done. */
static const ka_wait_ops mpi_ops = {
    .poll = test_requests, .poll_nanoseconds = 20000, .uninterruptible = true};

/* ---- A rank ---- */

struct plate {
  ka_backend *be;
  int rank, ranks;
  size_t width, height, steps; /* of the places that change, of all ranks */
  size_t stride;               /* one place more on each side */
  size_t begin, rows;          /* this rank's strip */
  float *now, *next;           /* rows + 2 rows of the device: the halo is the first and the last */
  /* Rows of the host, of which MPI knows: the strip's own ends, and the halo. */
  float *first_row, *last_row, *above, *below;
};

/* How many rows come before the rank's strip; the first ranks have one row more than the others. */
static size_t begin_of(size_t height, int rank, int ranks) {
  return height / (size_t)ranks * (size_t)rank +
         (height % (size_t)ranks < (size_t)rank ? height % (size_t)ranks : (size_t)rank);
}

/* The inner rows, those that need no halo; in a task of its own. */
static ka_status relax_inside(void *argument, void **result) {
  struct plate *p = argument;
  (void)result;
  size_t rows = p->rows > 2 ? p->rows - 2 : 0;
  return ka_launch(p->be, ka_range(p->width, rows), relax_rows(p->now, p->next, p->stride, 2, 1));
}

/* Ranks beyond the first and the last are MPI_PROC_NULL, to and from which nothing travels: the
 * plate's own edge stays. */
static ka_status exchange_halo(struct plate *p) {
  int up = p->rank > 0 ? p->rank - 1 : MPI_PROC_NULL;
  int down = p->rank + 1 < p->ranks ? p->rank + 1 : MPI_PROC_NULL;
  int count = (int)p->stride;
  struct exchange exchange;
  MPI_Request *requests = exchange.requests;
  MPI_Irecv(p->above, count, MPI_FLOAT, up, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(p->below, count, MPI_FLOAT, down, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(p->first_row, count, MPI_FLOAT, up, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(p->last_row, count, MPI_FLOAT, down, 0, MPI_COMM_WORLD, &requests[3]);
  return ka_cooperative_wait(&mpi_ops, &exchange);
}

/* The first and the last row, between the halo's way to the device and their own way to the host;
 * in this task's queue, which the device serves first if it can. */
static ka_status relax_ends(struct plate *p) {
  ka_backend *be = p->be;
  size_t bytes = p->stride * sizeof(float), end = (p->rows + 1) * p->stride;
  ka_status status = ka_copy(be, p->now, p->above, bytes);
  if (status == KA_OK)
    status = ka_copy(be, p->now + end, p->below, bytes);
  if (status == KA_OK) /* a strip of one row has one end */
    status = ka_launch(be, ka_range(p->width, p->rows > 1 ? 2 : 1),
                       relax_rows(p->now, p->next, p->stride, 1, p->rows - 1));
  if (status == KA_OK)
    status = ka_copy(be, p->first_row, p->next + p->stride, bytes);
  if (status == KA_OK)
    status = ka_copy(be, p->last_row, p->next + end - p->stride, bytes);
  ka_status waited = ka_synchronize(be);
  return status == KA_OK ? waited : status;
}

static ka_status step(struct plate *p) {
  /* It begins after what this task's queue holds, and runs while this task waits. */
  ka_task *inside = ka_spawn(p->be, relax_inside, p);
  if (!inside)
    return ka_error_status();
  ka_status status = exchange_halo(p);
  if (status == KA_OK)
    status = relax_ends(p);
  ka_status inside_status = ka_task_wait(inside); /* when its kernel is done, too */
  ka_task_release(inside);
  float *swap = p->now;
  p->now = p->next;
  p->next = swap;
  return status == KA_OK ? inside_status : status;
}

/* The first task. ka_run runs it on the main thread, where it stays: so all calls of MPI come from
 * there, and MPI_THREAD_FUNNELED is enough. */
static ka_status all_steps(void *argument, void **result) {
  struct plate *p = argument;
  (void)result;
  if (ka_priority(p->be, KA_PRIORITY_HIGH) != KA_OK && p->rank == 0)
    printf("no priority for the ends of the strips: %s\n", ka_error_message());
  ka_status status = KA_OK;
  for (size_t i = 0; i < p->steps && status == KA_OK; ++i)
    status = step(p);
  return status;
}

/* ---- The plate ---- */

/* The places around the plate are hot, those that change are cold at first. */
static float edge(const struct plate *p, size_t row, size_t column) {
  bool inside = row > 0 && row <= p->height && column > 0 && column <= p->width;
  return inside ? 0 : (float)((row * 7 + column * 13) % 101) / 101;
}

static void draw_edge(const struct plate *p, float *t, size_t begin, size_t rows) {
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < p->stride; ++column)
      t[row * p->stride + column] = edge(p, begin + row, column);
}

static void relax_on_host(const struct plate *p, float **t, float **next) {
  for (size_t i = 0; i < p->steps; ++i) {
    for (size_t row = 1; row <= p->height; ++row)
      for (size_t column = 1; column <= p->width; ++column)
        (*next)[row * p->stride + column] = relax(*t, row * p->stride + column, p->stride);
    float *swap = *t;
    *t = *next;
    *next = swap;
  }
}

/* One rank that cannot go on ends them all: the others would wait for it. */
static _Noreturn void give_up(const struct plate *p, const char *what, const char *why) {
  fprintf(stderr, "rank %d: %s: %s\n", p->rank, what, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

static void *checked(const struct plate *p, void *memory) {
  if (!memory)
    give_up(p, "memory", *ka_error_message() ? ka_error_message() : "out of memory");
  return memory;
}

static void check(const struct plate *p, ka_status status, const char *what) {
  if (status != KA_OK)
    give_up(p, what, ka_error_message());
}

/* Lets all ranks compute and returns all rows, with those around them, on rank 0; NULL elsewhere.
 */
static float *run(struct plate *p, double *time) {
  size_t count = (p->rows + 2) * p->stride, bytes = count * sizeof(float);
  size_t row_bytes = p->stride * sizeof(float);
  float *strip = checked(p, malloc(bytes));
  p->now = checked(p, ka_alloc_device(p->be, bytes));
  p->next = checked(p, ka_alloc_device(p->be, bytes));
  p->first_row = checked(p, malloc(4 * row_bytes));
  p->last_row = p->first_row + p->stride;
  p->above = p->last_row + p->stride;
  p->below = p->above + p->stride;
  draw_edge(p, strip, p->begin, p->rows + 2);
  memcpy(p->above, strip, row_bytes);
  memcpy(p->first_row, strip + p->stride, row_bytes);
  memcpy(p->last_row, strip + p->rows * p->stride, row_bytes);
  memcpy(p->below, strip + (p->rows + 1) * p->stride, row_bytes);
  check(p, ka_copy(p->be, p->now, strip, bytes), "copying to the device");
  check(p, ka_copy(p->be, p->next, strip, bytes), "copying to the device");
  check(p, ka_synchronize(p->be), "copying to the device");

  MPI_Barrier(MPI_COMM_WORLD);
  double start = example_now();
  check(p, ka_run(all_steps, p), "computing");
  MPI_Barrier(MPI_COMM_WORLD);
  *time = example_now() - start;

  check(p, ka_copy(p->be, strip, p->now, bytes), "copying from the device");
  check(p, ka_synchronize(p->be), "copying from the device");
  float *all = NULL;
  int *counts = NULL, *places = NULL;
  if (p->rank == 0) {
    all = checked(p, malloc((p->height + 2) * row_bytes));
    draw_edge(p, all, 0, p->height + 2);
    counts = checked(p, malloc(2 * (size_t)p->ranks * sizeof *counts));
    places = counts + p->ranks;
    for (int rank = 0; rank < p->ranks; ++rank) {
      size_t begin = begin_of(p->height, rank, p->ranks);
      places[rank] = (int)((begin + 1) * p->stride);
      counts[rank] = (int)((begin_of(p->height, rank + 1, p->ranks) - begin) * p->stride);
    }
  }
  MPI_Gatherv(strip + p->stride, (int)(p->rows * p->stride), MPI_FLOAT, all, counts, places,
              MPI_FLOAT, 0, MPI_COMM_WORLD);
  free(counts);
  free(strip);
  free(p->first_row);
  ka_free(p->now);
  ka_free(p->next);
  return all;
}

/* A number that says whether two runs had the same bits (FNV-1a). */
static uint64_t hash(const void *memory, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ ((const unsigned char *)memory)[i]) * 0x100000001b3;
  return hash;
}

static int compare(const struct plate *p, const float *all, double time) {
  size_t bytes = (p->height + 2) * p->stride * sizeof(float);
  float *t = checked(p, malloc(bytes)), *next = checked(p, malloc(bytes));
  draw_edge(p, t, 0, p->height + 2);
  draw_edge(p, next, 0, p->height + 2);
  double start = example_now();
  relax_on_host(p, &t, &next);
  printf("time:    %.3f ms, with the build of the kernel\n", time);
  printf("plain C: %.3f ms\n", example_now() - start);
  printf("hash:    %016llx\n", (unsigned long long)hash(all, bytes));
  bool same = memcmp(all, t, bytes) == 0;
  free(t);
  free(next);
  return example_finish(same);
}

/* ---- The command line ---- */

static bool read_size(const char *text, size_t least, size_t *size) {
  char *end;
  unsigned long n = strtoul(text, &end, 10);
  *size = (size_t)n;
  return *text >= '0' && *text <= '9' && !*end && n >= least && n <= MOST;
}

/* Ends the program after --help or a mistake. */
static void read_arguments(int argc, char **argv, struct plate *p) {
  if (argc != 4 || argv[1][0] == '-') {
    example_options(argc, argv,
                    "Heats a plate in strips, one for each MPI rank; their ends travel while their "
                    "inside is computed.\nWith three arguments, WIDTH HEIGHT STEPS, the plate has "
                    "that size. mpirun -n 4 starts four ranks.",
                    NULL);
  } else if (!(read_size(argv[1], 1, &p->width) && read_size(argv[2], 1, &p->height) &&
               read_size(argv[3], 0, &p->steps))) {
    fprintf(stderr, "WIDTH, HEIGHT and STEPS are numbers from 1 (STEPS: 0) to %d\n", MOST);
    exit(1);
  }
}

int main(int argc, char **argv) {
  struct plate p = {.width = 501, .height = 303, .steps = 200};
  read_arguments(argc, argv, &p);
  int threads;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
  if (threads < MPI_THREAD_FUNNELED)
    give_up(&p, "MPI", "it does not allow threads beside the one that calls it");
  if ((size_t)p.ranks > p.height) {
    if (p.rank == 0)
      fprintf(stderr, "%d ranks cannot share %zu rows, since each needs one; start at most %zu\n",
              p.ranks, p.height, p.height);
    MPI_Finalize();
    return 1;
  }
  p.stride = p.width + 2;
  p.begin = begin_of(p.height, p.rank, p.ranks);
  p.rows = begin_of(p.height, p.rank + 1, p.ranks) - p.begin;
  p.be = ka_default_backend();
  if (!p.be)
    give_up(&p, "no device to run on", ka_error_message());
  if (p.rank == 0) {
    example_print_device(p.be);
    printf("size:    %zu x %zu places, %zu steps, %d rank%s\n", p.width, p.height, p.steps, p.ranks,
           p.ranks > 1 ? "s" : "");
  }
  double time;
  float *all = run(&p, &time);
  int verdict = all ? compare(&p, all, time) : 0;
  free(all);
  MPI_Bcast(&verdict, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return verdict;
}
