/* What libka-task's calls of libuv that can fail become in tests that let them. */
#include "test/runtime/support/faulty_allocator.h"

#include <uv.h>

int faulty_uv_loop_init(uv_loop_t *loop);
int faulty_uv_async_init(uv_loop_t *loop, uv_async_t *async, uv_async_cb woken);
int faulty_uv_poll_init(uv_loop_t *loop, uv_poll_t *poll, int file);
int faulty_uv_poll_start(uv_poll_t *poll, int events, uv_poll_cb happened);

int faulty_uv_loop_init(uv_loop_t *loop) { return faulty_fails() ? UV_EMFILE : uv_loop_init(loop); }

int faulty_uv_async_init(uv_loop_t *loop, uv_async_t *async, uv_async_cb woken) {
  return faulty_fails() ? UV_EMFILE : uv_async_init(loop, async, woken);
}

int faulty_uv_poll_init(uv_loop_t *loop, uv_poll_t *poll, int file) {
  return faulty_fails() ? UV_ENOMEM : uv_poll_init(loop, poll, file);
}

int faulty_uv_poll_start(uv_poll_t *poll, int events, uv_poll_cb happened) {
  return faulty_fails() ? UV_ENOMEM : uv_poll_start(poll, events, happened);
}
