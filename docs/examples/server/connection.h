/* A TCP connection that a task reads and writes as if it blocked: the task waits, its thread goes
 * on. libuv does the work; all of it happens on the thread of the task and the loop. */
#ifndef KA_EXAMPLES_CONNECTION_H
#define KA_EXAMPLES_CONNECTION_H

#include <ka/task.h>
#include <uv.h>

struct connection {
  uv_tcp_t tcp;
  uv_timer_t timer;
  uint64_t deadline; /* of reads and writes, by the loop's clock in milliseconds */
  int open_handles;
  ka_wait_request *waiting; /* the wait under way; NULL: none, or what it waits for has come */
  uv_buf_t wanted;
  ssize_t result;
};

/* Takes a connection that the listener has, in its callback. What fails here is reported by the
 * first read or write. */
void connection_accept(struct connection *connection, uv_stream_t *listener);

/* From now on reads and writes have to be done within so long. */
void connection_set_patience(struct connection *connection, uint64_t milliseconds);

/* These wait, so a task calls them. */

/* Reads what is there, at least one byte and at most `bytes`. Returns their number, or an error of
 * libuv: UV_EOF, UV_ETIMEDOUT, UV_ECANCELED if the task was cancelled. */
ssize_t connection_read(struct connection *connection, void *memory, size_t bytes);

/* Writes all of the parts. Returns 0 or an error; a connection that was too slow is closed. */
int connection_write(struct connection *connection, const uv_buf_t *parts, unsigned count);

/* Says to the other side that nothing more will be written; false if it cannot hear. */
bool connection_shut_down(struct connection *connection);

/* When it returns the memory is the caller's again. */
void connection_close(struct connection *connection);

#endif
