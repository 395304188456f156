/* A TCP connection that a task reads and writes as if it blocked. Each operation is a cooperative
 * wait: `subscribe` starts the request of libuv, the request's callback ends the wait. */
#include "connection.h"

static ka_status started(ssize_t error) { return error < 0 ? KA_ERROR_DRIVER : KA_OK; }

static void end_wait(struct connection *connection, ssize_t result) {
  ka_wait_request *waiting = connection->waiting;
  uv_timer_stop(&connection->timer);
  connection->waiting = NULL;
  connection->result = result;
  if (waiting)
    ka_wait_complete(waiting, KA_OK);
}

static void start_timer(struct connection *connection, uv_timer_cb callback) {
  uint64_t now = uv_now(connection->timer.loop), deadline = connection->deadline;
  uv_timer_start(&connection->timer, callback, deadline > now ? deadline - now : 0, 0);
}

void connection_accept(struct connection *connection, uv_stream_t *listener) {
  *connection = (struct connection){.open_handles = 2};
  connection->tcp.data = connection->timer.data = connection;
  uv_timer_init(listener->loop, &connection->timer);
  uv_tcp_init(listener->loop, &connection->tcp);
  uv_accept(listener, (uv_stream_t *)&connection->tcp);
}

void connection_set_patience(struct connection *connection, uint64_t milliseconds) {
  uv_update_time(connection->timer.loop);
  connection->deadline = uv_now(connection->timer.loop) + milliseconds;
}

/* ---- Reading ---- */

static void give_memory(uv_handle_t *handle, size_t suggested, uv_buf_t *memory) {
  struct connection *connection = handle->data;
  (void)suggested;
  *memory = connection->wanted;
}

static void end_reading(struct connection *connection, ssize_t result) {
  uv_read_stop((uv_stream_t *)&connection->tcp);
  end_wait(connection, result);
}

static void have_read(uv_stream_t *stream, ssize_t result, const uv_buf_t *memory) {
  (void)memory;
  if (result != 0) /* 0: nothing there after all */
    end_reading(stream->data, result);
}

static void read_too_late(uv_timer_t *timer) { end_reading(timer->data, UV_ETIMEDOUT); }

static ka_status start_reading(void *object, ka_wait_request *request) {
  struct connection *connection = object;
  connection->waiting = request;
  connection->result = uv_read_start((uv_stream_t *)&connection->tcp, give_memory, have_read);
  if (connection->result == 0)
    start_timer(connection, read_too_late);
  return started(connection->result);
}

/* The task was cancelled. */
static bool stop_reading(void *object, ka_wait_request *request) {
  struct connection *connection = object;
  (void)request;
  connection->waiting = NULL;
  end_reading(connection, UV_ECANCELED);
  return true;
}

static const ka_wait_ops reading = {.subscribe = start_reading, .unsubscribe = stop_reading};

ssize_t connection_read(struct connection *connection, void *memory, size_t bytes) {
  connection->wanted = uv_buf_init(memory, (unsigned)bytes);
  connection->result = UV_ENOMEM; /* if the wait cannot even begin */
  ka_status status = ka_cooperative_wait(&reading, connection);
  return status == KA_ERROR_CANCELLED ? UV_ECANCELED : connection->result;
}

/* ---- Writing ---- */

/* These are not cut short: libuv uses the request, which lies on the task's stack, to the end. */

struct writing {
  struct connection *connection;
  uv_write_t request;
  const uv_buf_t *parts;
  unsigned count;
};

static void have_closed(uv_handle_t *handle) {
  struct connection *connection = handle->data;
  if (--connection->open_handles == 0)
    end_wait(connection, 0);
}

/* Closing ends the request, whose callback comes with UV_ECANCELED. */
static void write_too_late(uv_timer_t *timer) {
  struct connection *connection = timer->data;
  uv_close((uv_handle_t *)&connection->tcp, have_closed);
}

static void have_written(uv_write_t *request, int status) { end_wait(request->data, status); }

static ka_status start_writing(void *object, ka_wait_request *wait) {
  struct writing *writing = object;
  struct connection *connection = writing->connection;
  connection->waiting = wait;
  writing->request.data = connection;
  connection->result = uv_write(&writing->request, (uv_stream_t *)&connection->tcp, writing->parts,
                                writing->count, have_written);
  if (connection->result == 0)
    start_timer(connection, write_too_late);
  return started(connection->result);
}

int connection_write(struct connection *connection, const uv_buf_t *parts, unsigned count) {
  static const ka_wait_ops ops = {.subscribe = start_writing, .uninterruptible = true};
  struct writing writing = {.connection = connection, .parts = parts, .count = count};
  connection->result = UV_ENOMEM;
  ka_cooperative_wait(&ops, &writing);
  return (int)connection->result;
}

/* ---- The end ---- */

struct shutting_down {
  struct connection *connection;
  uv_shutdown_t request;
};

static void have_shut_down(uv_shutdown_t *request, int status) { end_wait(request->data, status); }

static ka_status start_shutting_down(void *object, ka_wait_request *wait) {
  struct shutting_down *end = object;
  struct connection *connection = end->connection;
  connection->waiting = wait;
  end->request.data = connection;
  connection->result = uv_shutdown(&end->request, (uv_stream_t *)&connection->tcp, have_shut_down);
  return started(connection->result);
}

bool connection_shut_down(struct connection *connection) {
  static const ka_wait_ops ops = {.subscribe = start_shutting_down, .uninterruptible = true};
  struct shutting_down end = {.connection = connection};
  connection->result = UV_ENOMEM;
  ka_cooperative_wait(&ops, &end);
  return connection->result == 0;
}

static ka_status start_closing(void *object, ka_wait_request *wait) {
  struct connection *connection = object;
  connection->waiting = wait;
  if (!uv_is_closing((uv_handle_t *)&connection->tcp))
    uv_close((uv_handle_t *)&connection->tcp, have_closed);
  uv_close((uv_handle_t *)&connection->timer, have_closed);
  return KA_OK;
}

void connection_close(struct connection *connection) {
  static const ka_wait_ops ops = {.subscribe = start_closing, .uninterruptible = true};
  ka_cooperative_wait(&ops, connection);
}
