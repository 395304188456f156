/* server: paints over pictures on the device for those who ask by HTTP, and answers everybody else
 * meanwhile, on one thread.
 *
 * Each connection is a task. Whatever a task waits for, bytes or the device, its thread goes on
 * with the others, in a loop of libuv that the program runs itself.
 */
#include "server.h"
#include "../example.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLIENTS = 256, PATIENCE = 10000 };

/* ---- Connections come ---- */

void client_remove(struct client *client) {
  *client->link = client->next;
  if (client->next)
    client->next->link = client->link;
  --client->server->client_count;
  free(client);
}

static void refused(uv_handle_t *handle) { free(handle); }

/* Too many are there, or there is no memory for another. */
static void refuse(struct server *server) {
  static char text[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
                       "Connection: close\r\n\r\n";
  uv_buf_t answer = uv_buf_init(text, sizeof text - 1);
  uv_tcp_t *tcp = malloc(sizeof *tcp);
  if (!tcp)
    abort();
  uv_tcp_init(&server->loop, tcp);
  if (uv_accept((uv_stream_t *)&server->listener, (uv_stream_t *)tcp) == 0)
    uv_try_write((uv_stream_t *)tcp, &answer, 1);
  uv_close((uv_handle_t *)tcp, refused);
}

static void have_connection(uv_stream_t *listener, int error) {
  struct server *server = listener->data;
  if (error < 0)
    return;
  struct client *client = server->client_count < MOST_CLIENTS ? calloc(1, sizeof *client) : NULL;
  if (client)
    client->task = ka_spawn(server->be, client_serve, client);
  if (!client || !client->task) {
    free(client);
    return refuse(server);
  }
  /* The task begins when this has returned. */
  client->server = server;
  client->next = server->clients;
  client->link = &server->clients;
  if (client->next)
    client->next->link = &client->next;
  server->clients = client;
  ++server->client_count;
  connection_accept(&client->connection, listener);
}

static int listen_at(struct server *server, int port) {
  struct sockaddr_in address;
  int length = sizeof address;
  uv_tcp_init(&server->loop, &server->listener);
  server->listener.data = server;
  uv_ip4_addr("127.0.0.1", port, &address);
  int error = uv_tcp_bind(&server->listener, (const struct sockaddr *)&address, 0);
  if (error == 0)
    error = uv_listen((uv_stream_t *)&server->listener, MOST_CLIENTS, have_connection);
  if (error == 0)
    error = uv_tcp_getsockname(&server->listener, (struct sockaddr *)&address, &length);
  if (error == 0)
    return ntohs(address.sin_port);
  fprintf(stderr, "cannot listen at 127.0.0.1:%d: %s\n", port, uv_strerror(error));
  return -1;
}

/* ---- The end ---- */

/* No new connections; requests that have begun are served. A second signal ends the program at
 * once, as nothing listens for it any more. */
static void stop(uv_signal_t *signal, int number) {
  struct server *server = signal->data;
  (void)number;
  server->stopping = true;
  uv_close((uv_handle_t *)&server->listener, NULL);
  for (int i = 0; i < 2; ++i)
    uv_close((uv_handle_t *)&server->signals[i], NULL);
  /* Those that wait for a request, of which nothing has come yet. */
  for (struct client *client = server->clients; client; client = client->next)
    if (client->between_requests && client->connection.waiting)
      ka_task_cancel(client->task);
}

static void stop_on_signals(struct server *server) {
  static const int numbers[2] = {SIGINT, SIGTERM};
  signal(SIGPIPE, SIG_IGN); /* writing to a connection that is closed is an error like others */
  for (int i = 0; i < 2; ++i) {
    uv_signal_init(&server->loop, &server->signals[i]);
    server->signals[i].data = server;
    uv_signal_start(&server->signals[i], stop, numbers[i]);
  }
}

/* ---- The program ---- */

/* "--port=8080": 8080; not negative, or it is something else or wrong. */
static long option(const char *argument, const char *name) {
  size_t length = strlen(name);
  char *end;
  if (strncmp(argument, name, length) != 0 || argument[length] < '0' || argument[length] > '9')
    return -1;
  long value = strtol(argument + length, &end, 10);
  return *end || value > 65535 ? -1 : value;
}

int main(int argc, char **argv) {
  static struct server server = {.patience = PATIENCE};
  struct example example = {0};
  bool serves = argc > 1 && strncmp(argv[1], "--port=", 7) == 0;
  long port = serves ? option(argv[1], "--port=") : 0;
  long patience = serves && argc == 3 ? option(argv[2], "--patience=") : PATIENCE;
  if (port < 0 || patience < 0 || (serves && argc > 3)) {
    fputs("server: usage: server --port=N [--patience=MILLISECONDS], numbers up to 65535\n",
          stderr);
    return 1;
  }
  if (!serves)
    example = example_options(argc, argv,
                              "Serves pictures by HTTP, and is its own client: sends itself a "
                              "photograph.\nWith --port=N [--patience=MILLISECONDS] it serves "
                              "others, until SIGINT or SIGTERM.",
                              EXAMPLE_PHOTO);
  server.be = ka_default_backend();
  example_print_device(server.be);
  server.patience = (uint64_t)patience;
  uv_loop_init(&server.loop);
  KA_CHECK(ka_task_attach_loop(&server.loop));
  port = listen_at(&server, (int)port);
  if (port < 0)
    return 1;
  stop_on_signals(&server);
  printf("server:  http://127.0.0.1:%ld/\n", port);
  fflush(stdout);
  if (!serves)
    demo_start(example.input, (int)port);
  uv_run(&server.loop, UV_RUN_DEFAULT); /* until all handles are closed and all tasks have ended */
  KA_CHECK(ka_task_detach_loop());
  uv_loop_close(&server.loop);
  return serves ? 0
                : demo_finish(example.output ? example_output_path(&example, "server.png") : NULL);
}
