/* pipeline: encrypts a file piece by piece, and reads, copies, computes and writes at once.
 *
 * Each lane is a task that takes every n-th piece through all steps, one after the other. Whatever
 * a lane waits for, disk or device, the other lanes go on. With one lane the same code does the
 * same steps one at a time.
 *
 * The cipher is ChaCha20 (RFC 8439), which makes each block of 64 bytes by itself. Key and nonce
 * are those of the example in section 2.4.2 there, so this hides nothing.
 */
#include "../example.h"
#include "timeline.h"

#include <errno.h>
#include <fcntl.h>
#include <ka/task.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK_BYTES = 64, PIECE_BYTES = 1 << 20, LANES = 4, OWN_PIECES = 32 };
/* The cipher counts its blocks with 32 bits, here from 1. */
#define MOST_BYTES ((uint64_t)BLOCK_BYTES * (UINT32_MAX - 1))

static inline uint32_t rotate(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

static inline void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
  *a += *b, *d = rotate(*d ^ *a, 16);
  *c += *d, *b = rotate(*b ^ *c, 12);
  *a += *b, *d = rotate(*d ^ *a, 8);
  *c += *d, *b = rotate(*b ^ *c, 7);
}

/* Encrypts one block, 16 words. Plain C: called by the kernel and by the host alike. Once its short
 * loops are unrolled the words of x can stay in registers; otherwise they are memory. */
static inline void encrypt_block(uint32_t *words, uint32_t counter) {
  const uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
                              0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
                              0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c,
                              counter,    0,          0x4a000000, 0};
  uint32_t x[16];
  KA_UNROLL
  for (int i = 0; i < 16; ++i)
    x[i] = start[i];
  for (int twice = 0; twice < 10; ++twice) {
    KA_UNROLL
    for (int i = 0; i < 4; ++i)
      quarter_round(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
    KA_UNROLL
    for (int i = 0; i < 4; ++i)
      quarter_round(&x[i], &x[4 + (i + 1) % 4], &x[8 + (i + 2) % 4], &x[12 + (i + 3) % 4]);
  }
  KA_UNROLL
  for (int i = 0; i < 16; ++i)
    words[i] ^= x[i] + start[i];
}

[[ka::kernel]] void encrypt(uint32_t *words, uint32_t first_counter) {
  size_t block = ka_global_id(0);
  encrypt_block(&words[16 * block], first_counter + (uint32_t)block);
}

/* ---- Reading and writing: a worker thread blocks, the task's own thread goes on ---- */

struct transfer {
  int file;
  unsigned char *memory;
  size_t bytes;
  uint64_t offset;
  const char *failure; /* NULL: none */
};

static ka_status read_all(void *object) {
  struct transfer *t = object;
  for (size_t done = 0; done < t->bytes && !t->failure;) {
    ssize_t now = pread(t->file, t->memory + done, t->bytes - done, (off_t)(t->offset + done));
    if (now > 0)
      done += (size_t)now;
    else if (now == 0)
      t->failure = "the file became shorter meanwhile";
    else if (errno != EINTR)
      t->failure = strerror(errno);
  }
  return KA_OK;
}

static ka_status write_all(void *object) {
  struct transfer *t = object;
  for (size_t done = 0; done < t->bytes && !t->failure;) {
    ssize_t now = pwrite(t->file, t->memory + done, t->bytes - done, (off_t)(t->offset + done));
    if (now >= 0)
      done += (size_t)now;
    else if (errno != EINTR)
      t->failure = strerror(errno);
  }
  return KA_OK;
}

/* Not cut short: the worker thread uses the transfer, which lies on the task's stack. */
static const ka_wait_ops reading = {.wait = read_all, .uninterruptible = true};
static const ka_wait_ops writing = {.wait = write_all, .uninterruptible = true};

/* ---- The pipeline ---- */

struct job {
  ka_backend *be;
  int in, out;
  const char *in_name, *out_name; /* for messages */
  uint64_t bytes;
  int lanes;
  struct timeline *timeline; /* NULL: none is wanted */
  atomic_bool failed;        /* a lane has: the others stop */
};

struct lane {
  struct job *job;
  int number;
  unsigned char *host;
  uint32_t *device;
};

/* Takes one piece through all steps, and notes when each ended. */
static ka_status encrypt_piece(struct lane *lane, uint64_t piece, double end[TIMELINE_STEPS]) {
  struct job *job = lane->job;
  ka_backend *be = job->be;
  uint64_t offset = piece * PIECE_BYTES;
  size_t bytes = job->bytes - offset < PIECE_BYTES ? (size_t)(job->bytes - offset) : PIECE_BYTES;
  size_t blocks = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;

  struct transfer in = {job->in, lane->host, bytes, offset, NULL};
  ka_status status = ka_cooperative_wait(&reading, &in);
  if (status != KA_OK)
    return status;
  if (in.failure) {
    fprintf(stderr, "cannot read '%s': %s\n", job->in_name, in.failure);
    return KA_ERROR_DRIVER;
  }
  end[TIMELINE_READ] = example_now();

  /* The device does these in order; the task waits once, at the end. */
  ka_event *passed[4] = {NULL};
  status = ka_record_event(be, &passed[0]);
  if (status == KA_OK)
    status = ka_copy(be, lane->device, lane->host, bytes);
  if (status == KA_OK)
    status = ka_record_event(be, &passed[1]);
  if (status == KA_OK)
    status = ka_launch(be, ka_range(blocks),
                       encrypt(lane->device, 1 + (uint32_t)(offset / BLOCK_BYTES)));
  if (status == KA_OK)
    status = ka_record_event(be, &passed[2]);
  if (status == KA_OK)
    status = ka_copy(be, lane->host, lane->device, bytes);
  if (status == KA_OK)
    status = ka_record_event(be, &passed[3]);
  ka_status waited = ka_synchronize(be); /* also after a failure: the copies use lane->host */
  status = status == KA_OK ? waited : status;
  for (int i = 1; i < 4; ++i) {
    int64_t nanoseconds = 0;
    if (status == KA_OK)
      status = ka_event_elapsed(passed[0], passed[i], &nanoseconds);
    end[TIMELINE_READ + i] = end[TIMELINE_READ] + 1e-6 * (double)nanoseconds;
  }
  for (int i = 0; i < 4; ++i)
    ka_event_release(passed[i]);
  if (status != KA_OK)
    return status;
  double begin_of_write = example_now();

  struct transfer out = {job->out, lane->host, bytes, offset, NULL};
  status = ka_cooperative_wait(&writing, &out);
  if (status == KA_OK && out.failure) {
    fprintf(stderr, "cannot write '%s': %s\n", job->out_name, out.failure);
    return KA_ERROR_DRIVER;
  }
  /* Between the device's end and this the task waited for its turn. */
  end[TIMELINE_TURN] = begin_of_write;
  end[TIMELINE_WRITE] = example_now();
  return status;
}

static ka_status encrypt_pieces(void *argument, void **result) {
  struct lane *lane = argument;
  struct job *job = lane->job;
  uint64_t pieces = (job->bytes + PIECE_BYTES - 1) / PIECE_BYTES;
  ka_status status = KA_OK;
  (void)result;
  for (uint64_t piece = (uint64_t)lane->number; piece < pieces; piece += (uint64_t)job->lanes) {
    if (atomic_load(&job->failed))
      break;
    double begin = example_now(), end[TIMELINE_STEPS];
    status = encrypt_piece(lane, piece, end);
    if (status != KA_OK) {
      atomic_store(&job->failed, true);
      break;
    }
    if (job->timeline)
      timeline_add(job->timeline, piece, lane->number, begin, end);
  }
  return status;
}

/* Encrypts the file; false after a message. */
static bool run(struct job *job) {
  struct lane lanes[LANES] = {{0}};
  ka_task *tasks[LANES] = {NULL};
  for (int i = 0; i < job->lanes; ++i) {
    lanes[i] = (struct lane){job, i, malloc(PIECE_BYTES), ka_alloc_device(job->be, PIECE_BYTES)};
    if (lanes[i].host && lanes[i].device)
      tasks[i] = ka_spawn(job->be, encrypt_pieces, &lanes[i]);
    if (!tasks[i]) {
      fprintf(stderr, "cannot start a lane: %s\n",
              lanes[i].host ? ka_error_message() : "out of memory");
      atomic_store(&job->failed, true);
      break;
    }
  }
  for (int i = 0; i < job->lanes; ++i) {
    if (tasks[i] && ka_task_wait(tasks[i]) != KA_OK && *ka_error_message())
      fprintf(stderr, "lane %d: %s\n", i, ka_error_message());
    ka_task_release(tasks[i]);
    ka_free(lanes[i].device);
    free(lanes[i].host);
  }
  return !atomic_load(&job->failed);
}

/* ---- pipeline IN OUT ---- */

static bool complain(const char *verb, const char *name, const char *why) {
  fprintf(stderr, "cannot %s '%s': %s\n", verb, name, why);
  return false;
}

static bool encrypt_files(ka_backend *be, const char *in_name, const char *out_name) {
  struct stat in_status, out_status;
  int in = open(in_name, O_RDONLY | O_CLOEXEC);
  if (in < 0 || fstat(in, &in_status) != 0)
    return complain("read", in_name, strerror(errno));
  if (!S_ISREG(in_status.st_mode))
    return complain("read", in_name, "it is no regular file");
  if ((uint64_t)in_status.st_size > MOST_BYTES)
    return complain("encrypt", in_name, "the cipher ends at 256 GiB");
  if (stat(out_name, &out_status) == 0 && out_status.st_dev == in_status.st_dev &&
      out_status.st_ino == in_status.st_ino)
    return complain("write", out_name, "it is the file to be read");
  int out = open(out_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out < 0 || fstat(out, &out_status) != 0)
    return complain("write", out_name, strerror(errno));

  struct job job = {.be = be, .in = in, .out = out, .in_name = in_name, .out_name = out_name};
  job.bytes = (uint64_t)in_status.st_size;
  job.lanes = LANES;
  bool good = run(&job);
  if (close(out) != 0 && good)
    good = complain("write", out_name, strerror(errno));
  if (!good && S_ISREG(out_status.st_mode))
    unlink(out_name); /* half a file is none */
  close(in);
  return good;
}

/* ---- pipeline by itself ---- */

/* What the file of its own holds: numbers that look random. */
static void make_words(uint32_t *words, size_t count) {
  uint32_t x = 1;
  for (size_t i = 0; i < count; ++i)
    words[i] = x = x * 1664525u + 1013904223u;
}

static bool has_bytes(FILE *file, const void *expected, size_t bytes) {
  unsigned char *found = malloc(bytes);
  bool same = found && pread(fileno(file), found, bytes, 0) == (ssize_t)bytes &&
              memcmp(found, expected, bytes) == 0;
  free(found);
  return same;
}

static bool compare_ways(ka_backend *be, const char *picture) {
  size_t bytes = (size_t)OWN_PIECES * PIECE_BYTES, count = bytes / sizeof(uint32_t);
  uint32_t *words = malloc(bytes);
  FILE *in = tmpfile(), *out = tmpfile();
  if (!words || !in || !out || (make_words(words, count), fwrite(words, 1, bytes, in) != bytes) ||
      fflush(in) != 0)
    return complain("prepare", "a temporary file", strerror(errno));
  double start = example_now();
  for (size_t block = 0; block < count / 16; ++block)
    encrypt_block(&words[16 * block], 1 + (uint32_t)block);
  double host = example_now() - start;

  struct timeline timelines[2] = {{.title = "one after another"}, {.title = "overlapped"}};
  bool matches = true;
  for (int run_number = -1; run_number < 2; ++run_number) {
    struct job job = {.be = be, .in = fileno(in), .out = fileno(out)};
    job.in_name = job.out_name = "a temporary file";
    job.bytes = bytes;
    job.lanes = run_number == 1 ? LANES : 1;
    job.timeline = run_number < 0 ? NULL : &timelines[run_number];
    if (ftruncate(fileno(out), 0) != 0)
      return complain("write", "a temporary file", strerror(errno));
    start = example_now();
    if (!run(&job))
      return false;
    double time = example_now() - start;
    matches = has_bytes(out, words, bytes) && matches;
    /* The first run builds the kernel. */
    if (job.timeline) {
      job.timeline->start = start;
      printf("%-18s %8.3f ms, %4.0f MiB/s, %d at a time\n", job.timeline->title, time,
             (double)bytes / (1 << 20) / time * 1e3, job.lanes);
    }
  }
  printf("%-18s %8.3f ms, without the files\n", "plain C", host);
  if (picture) {
    if (!timeline_draw(timelines, 2, picture))
      return complain("write", picture, strerror(errno));
    printf("picture: %s\n", picture);
  }
  fclose(in);
  fclose(out);
  free(words);
  return example_finish(matches) == 0;
}

int main(int argc, char **argv) {
  bool files = argc == 3 && argv[1][0] != '-' && argv[2][0] != '-';
  struct example example = {0};
  if (!files)
    example = example_options(argc, argv,
                              "Encrypts a file in overlapping steps, and draws a timeline of them "
                              "as an SVG picture.\nWith two arguments, IN and OUT, it encrypts "
                              "that file into the other.",
                              NULL);
  ka_backend *be = ka_default_backend();
  example_print_device(be);
  if (files)
    return encrypt_files(be, argv[1], argv[2]) ? 0 : 1;
  return compare_ways(be, example.output ? example_output_path(&example, "pipeline.svg") : NULL)
             ? 0
             : 1;
}
