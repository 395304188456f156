/* What the server's parts know of each other. All of it belongs to the thread of the loop. */
#ifndef KA_EXAMPLES_SERVER_H
#define KA_EXAMPLES_SERVER_H

#include "connection.h"
#include "http.h"

#include <ka/task.h>
#include <stdbool.h>
#include <uv.h>

struct server {
  uv_loop_t loop;
  uv_tcp_t listener;
  uv_signal_t signals[2];
  ka_backend *be;
  uint64_t patience; /* milliseconds for a request to come, and for an answer to be taken */
  struct client *clients;
  int client_count, picture_count;
  bool stopping;
};

/* A connection and its task. */
struct client {
  struct connection connection;
  struct server *server;
  ka_task *task;
  struct client *next, **link;
  bool between_requests;
  /* What was read; the first `used` bytes belong to the present request. */
  char bytes[HTTP_MOST_HEAD];
  size_t filled, used;
};

/* The task of a connection; `argument` is a client, which it removes in the end. */
ka_status client_serve(void *argument, void **result);

/* Frees a client whose handles are closed. */
void client_remove(struct client *client);

/* Has threads of their own send the photograph to the server at this port, and ask for /health
 * meanwhile; then ends the server by SIGTERM. */
void demo_start(const char *photo, int port);
/* To be called when the server has ended: the exit status of the program. `picture`: where to put
 * the photograph and the painting; NULL: nowhere. */
int demo_finish(const char *picture);

#endif
