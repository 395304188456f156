/* server: paints over pictures on the device for those who ask by HTTP, and answers everybody else
 * meanwhile, on one thread.
 *
 * Each connection is a task. Whatever a task waits for, bytes or the device, its thread goes on
 * with the others, in a loop of libuv that the program runs itself.
 */
#define _GNU_SOURCE /* gettid */
#include "server.h"
#include "../example.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* ---- The device ---- */

struct opening {
  int nice;
  ka_backend *be;
};

static void *open_backend(void *argument) {
  struct opening *opening = argument;
  /* On Linux a thread has its own rank, and hands it on to those that it starts. */
  setpriority(PRIO_PROCESS, (id_t)gettid(), getpriority(PRIO_PROCESS, 0) + opening->nice);
  opening->be = ka_default_backend();
  return NULL;
}

/* A driver that runs kernels on the host's cores has a thread for each. They are started by who
 * asks for the driver first: here by a thread that ranks below the one that serves. */
static ka_backend *open_below(int nice) {
  struct opening opening = {nice, NULL};
  pthread_t thread;
  if (pthread_create(&thread, NULL, open_backend, &opening) == 0)
    pthread_join(thread, NULL);
  return opening.be ? opening.be : ka_default_backend();
}

/* ---- The program ---- */

struct options {
  long port; /* negative: it is its own client */
  long patience, nice;
};

/* "--port=8080" */
static bool option(const char *argument, const char *name, long most, long *value) {
  size_t length = strlen(name);
  char *end;
  if (strncmp(argument, name, length) != 0 || argument[length] < '0' || argument[length] > '9')
    return false;
  *value = strtol(argument + length, &end, 10);
  return *end == 0 && *value <= most;
}

static struct options read_options(int argc, char **argv) {
  struct options options = {.port = -1, .patience = PATIENCE, .nice = 0};
  if (argc > 1 && strncmp(argv[1], "--port", 6) == 0)
    for (int i = 1; i < argc; ++i)
      if (!option(argv[i], "--port=", 65535, &options.port) &&
          !option(argv[i], "--patience=", 3600000, &options.patience) &&
          !option(argv[i], "--nice=", 19, &options.nice)) {
        fprintf(stderr,
                "server: '%s' is wrong; usage: server --port=N [--patience=MILLISECONDS] "
                "[--nice=N], up to 65535, 3600000, 19\n",
                argv[i]);
        exit(1);
      }
  return options;
}

int main(int argc, char **argv) {
  static struct server server;
  struct options options = read_options(argc, argv);
  struct example example = {0};
  bool serves = options.port >= 0;
  if (!serves)
    example = example_options(argc, argv,
                              "Serves pictures by HTTP, and is its own client: sends itself a "
                              "photograph.\nWith --port=N [--patience=MILLISECONDS] [--nice=N] it "
                              "serves others, until SIGINT or SIGTERM.",
                              EXAMPLE_PHOTO);
  server.be = open_below((int)options.nice);
  example_print_device(server.be);
  server.patience = (uint64_t)options.patience;
  uv_loop_init(&server.loop);
  KA_CHECK(ka_task_attach_loop(&server.loop));
  int port = listen_at(&server, serves ? (int)options.port : 0);
  if (port < 0)
    return 1;
  stop_on_signals(&server);
  printf("server:  http://127.0.0.1:%d/\n", port);
  fflush(stdout);
  if (!serves)
    demo_start(example.input, port);
  uv_run(&server.loop, UV_RUN_DEFAULT); /* until all handles are closed and all tasks have ended */
  KA_CHECK(ka_task_detach_loop());
  uv_loop_close(&server.loop);
  return serves ? 0
                : demo_finish(example.output ? example_output_path(&example, "server.png") : NULL);
}
