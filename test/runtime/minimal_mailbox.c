/* What the core reads in mailboxes and print buffers, over a backend that has only what a backend
 * must have: also what no kernel should have stored there. */
#include "test/runtime/support/faulty_allocator.h"
#include "test/runtime/support/minimal_backend.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* ---- The mailbox ---- */

TEST(a_launch_has_a_mailbox_if_its_kernel_asks) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, NULL));
  CHECK(!minimal.last.mailbox);
  CHECK_OK(minimal_launch(be, ka_range(1), TALKS, NULL));
  CHECK(minimal.last.mailbox);
  const struct ka_mailbox *mailbox = minimal.last.mailbox;
  CHECK_INT(mailbox->failed, 0);
  int before = faulty_allocations();
  for (int i = 0; i < 5000; i++)
    CHECK_OK(minimal_launch(be, ka_range(1), TALKS, NULL));
  CHECK_OK(ka_synchronize(be));
  CHECK(minimal.last.mailbox == mailbox);
  CHECK_INT(faulty_allocations() - before, 0);
  /* Another queue has another one. */
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(minimal_launch(be, ka_range(1), TALKS, NULL));
  CHECK(minimal.last.mailbox != mailbox);
}

TEST(a_mailbox_is_read_when_the_launch_has_completed) {
  ka_backend *be = test_backend();
  minimal.message = (struct ka_mailbox){.failed = 1, .global_id = {7, 8, 9}, .group_id = {1, 2, 3}};
  CHECK_OK(minimal_launch(be, ka_range(1), TALKS, NULL));
  minimal.message.failed = 0;
  CHECK_INT(minimal.last.mailbox->failed, 1);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_STRING(ka_error_message(), "kernel 'talks' stopped at talks.c:5, item (7, 8, 9) "
                                   "of group (1, 2, 3): abort()");
  CHECK_INT(minimal.last.mailbox->failed, 0);
  CHECK_OK(ka_synchronize(be));
}

/* A kernel may write anywhere. */
TEST(nonsense_in_a_mailbox) {
  ka_backend *be = test_backend();
  minimal.message = (struct ka_mailbox){.failed = 77, .site = UINT32_MAX};
  minimal.stores_over = true;
  CHECK_OK(minimal_launch(be, ka_range(1), TALKS, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("kernel 'talks' stopped, item (0, 0, 0)");
  /* One that is over, one to come, and none. */
  static const uint64_t tickets[] = {1, 12345, KA__NO_LAUNCH};
  for (int i = 0; i < 3; i++) {
    minimal.message = (struct ka_mailbox){.failed = 1, .launch = tickets[i]};
    minimal.stores_over = true;
    CHECK_OK(minimal_launch(be, ka_range(1), TALKS, NULL));
    CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
    CHECK_MESSAGE("a kernel stored into the mailbox");
    CHECK_OK(ka_synchronize(be));
    minimal.message = (struct ka_mailbox){.failed = 1};
    minimal.stores_over = false;
    CHECK_OK(minimal_launch(be, ka_range(1), TALKS, NULL));
    CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
    CHECK_MESSAGE("kernel 'talks' stopped at talks.c:5");
  }
}

static void *fail_and_leave(void *backend) {
  CHECK_OK(minimal_launch(backend, ka_range(1), TALKS, NULL));
  return NULL;
}

static void *fail_in_the_same_queue(void *backend) {
  int before = minimal.queues;
  CHECK_OK(minimal_launch(backend, ka_range(1), TALKS, NULL));
  CHECK_INT(minimal.queues, before);
  CHECK_STATUS(ka_synchronize(backend), KA_ERROR_KERNEL_TRAP);
  CHECK_OK(ka_synchronize(backend));
  return NULL;
}

TEST(a_failure_of_the_thread_before_hides_none) {
  ka_backend *be = test_backend();
  minimal.message = (struct ka_mailbox){.failed = 1};
  void *(*const threads[])(void *) = {fail_and_leave, fail_in_the_same_queue};
  for (int t = 0; t < 2; t++) {
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, threads[t], be), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
}

TEST(a_mailbox_needs_memory_that_the_host_sees) {
  minimal.has_no_unified_memory = true;
  ka_backend *be = test_backend();
  CHECK_STATUS(minimal_launch(be, ka_range(1), TALKS, NULL), KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("kernel 'talks'", "'minimal' shares no memory with the host", "-DNDEBUG");
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, NULL));
}

TEST(a_mailbox_that_cannot_be_had) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, NULL));
  int attempts = 0;
  ka_status status;
  do {
    faulty_allocation_at(++attempts);
    status = minimal_launch(be, ka_range(1), TALKS, NULL);
    faulty_allocation_at(0);
    if (status != KA_OK) {
      CHECK_STATUS(status, KA_ERROR_OUT_OF_MEMORY);
      CHECK_MESSAGE("no host memory");
    }
  } while (status != KA_OK);
  CHECK(attempts > 2); /* of the kernel as built, and of the mailbox */
  minimal.message = (struct ka_mailbox){.failed = 1};
  CHECK_OK(minimal_launch(be, ka_range(1), TALKS, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("kernel 'talks' stopped at talks.c:5");
}

/* ---- Printing ---- */

/* As kernels do it. */
static void say_hi(struct ka__print_buffer *buffer) {
  static const uint32_t head[2] = {16, 4};
  CHECK(buffer->used <= buffer->capacity);
  char *record = (char *)(buffer + 1) + __atomic_fetch_add(&buffer->used, 16, __ATOMIC_ACQ_REL);
  for (int i = 0; i < 16; i++)
    CHECK(!record[i]);
  memcpy(record + 8, "hi\n", 4);
  memcpy(record, head, sizeof head);
}

static void claim_more(struct ka__print_buffer *buffer) {
  say_hi(buffer);
  buffer->capacity = UINT32_MAX;
  buffer->used = 1u << 30;
}
static void claim_none(struct ka__print_buffer *buffer) { buffer->capacity = 0; }
static void use_more(struct ka__print_buffer *buffer) { buffer->used = UINT32_MAX; }
static void use_less(struct ka__print_buffer *buffer) { buffer->used = 0; }
static void lose(struct ka__print_buffer *buffer) { memset(buffer, 0xff, sizeof *buffer + 64); }
static void spoil_records(struct ka__print_buffer *buffer) {
  buffer->used = 64;
  memset(buffer + 1, 0x77, 64);
}

static void print_once(ka_backend *be, void (*what)(struct ka__print_buffer *)) {
  minimal.print = what;
  CHECK_OK(ka__launch(be, ka_range(1), &minimal_module.kernels[PRINTS], NULL, 0));
}

enum { BY_ONE_THAT_HAS_COMPLETED, BY_ONE_THAT_RUNS, BY_ONE_THAT_DOES_NOT_PRINT, WAYS };

/* The host goes by what it knows, and the next kernels print as ever. */
TEST(a_print_buffer_that_kernels_have_damaged) {
  ka_backend *be = test_backend();
  minimal_make_module();
  static void (*const damages[])(struct ka__print_buffer *) = {
      claim_more, claim_none, use_more, use_less, lose, spoil_records};
  FILE *file = tmpfile();
  CHECK(file && fflush(stdout) == 0);
  int terminal = dup(STDOUT_FILENO);
  CHECK(dup2(fileno(file), STDOUT_FILENO) >= 0);
  int expected = 0;
  for (size_t d = 0; d < sizeof damages / sizeof *damages; d++)
    for (int way = 0; way < WAYS; way++) {
      print_once(be, say_hi);
      CHECK_OK(ka_synchronize(be));
      if (way == BY_ONE_THAT_DOES_NOT_PRINT)
        damages[d](minimal.last.mailbox->prints);
      else
        print_once(be, damages[d]);
      if (way == BY_ONE_THAT_HAS_COMPLETED)
        CHECK_OK(ka_synchronize(be));
      print_once(be, say_hi);
      CHECK_OK(ka_synchronize(be));
      print_once(be, say_hi);
      CHECK_OK(ka_synchronize(be));
      /* What is behind a bad record, and was printed before anybody looked, is lost. */
      expected += damages[d] == spoil_records && way == BY_ONE_THAT_RUNS ? 2 : 3;
    }
  CHECK(fflush(stdout) == 0 && dup2(terminal, STDOUT_FILENO) >= 0);
  char text[256] = "";
  ssize_t bytes = pread(fileno(file), text, sizeof text - 1, 0);
  CHECK_INT(bytes, 3 * expected);
  for (int i = 0; i < expected; i++)
    CHECK(strncmp(text + 3 * i, "hi\n", 3) == 0);
}
