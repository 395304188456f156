/* One connection, as a task: reads requests, answers them, waits where there is something to wait
 * for. What the thread does for other connections meanwhile is not to be seen here. */
#include "http.h"
#include "paint.h"
#include "picture.h"
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  MOST_PICTURES = 8,   /* at a time */
  MOST_BODY = 4 << 20, /* bytes */
  USUAL_RADIUS = 4,
};

struct answer {
  int status;
  const char *type;
  const char *methods; /* those that are allowed, if another was asked for */
  const void *body;
  size_t body_bytes;
  void *memory; /* to be freed when the answer is written */
  char text[PICTURE_WHY + 2];
  bool ends; /* the connection: what follows in it is not known, or of no use */
};

/* ---- What there is to ask for ---- */

static void answer_text(struct answer *answer, int status, const char *text) {
  int length = snprintf(answer->text, sizeof answer->text, "%s\n", text);
  answer->status = status;
  answer->type = "text/plain; charset=utf-8";
  answer->body = answer->text;
  answer->body_bytes = (size_t)length;
  /* The body of a request that went wrong may not have been read. */
  answer->ends = status != 200;
}

static void answer_health(struct client *client, const struct http_request *request,
                          struct answer *answer) {
  (void)client;
  if (request->length > 0)
    answer_text(answer, 400, "this takes no body");
  else
    answer_text(answer, 200, "ok");
}

/* "radius=4"; nothing is the usual one. Negative: something else. */
static int parse_radius(const char *query) {
  char *end;
  if (!*query)
    return USUAL_RADIUS;
  if (strncmp(query, "radius=", 7) != 0 || query[7] < '0' || query[7] > '9')
    return -1;
  unsigned long radius = strtoul(query + 7, &end, 10);
  return *end || radius < PAINT_LEAST_RADIUS || radius > PAINT_MOST_RADIUS ? -1 : (int)radius;
}

/* Returns 0 or an error of libuv. */
static int read_body(struct client *client, unsigned char *body, size_t bytes) {
  size_t done = client->filled - client->used < bytes ? client->filled - client->used : bytes;
  memcpy(body, client->bytes + client->used, done);
  client->used += done;
  while (done < bytes) {
    ssize_t now = connection_read(&client->connection, body + done, bytes - done);
    if (now < 0)
      return (int)now;
    done += (size_t)now;
  }
  return 0;
}

static void paint_body(struct client *client, const struct http_request *request, int radius,
                       struct answer *answer) {
  unsigned char *body = malloc(request->length);
  if (!body)
    return answer_text(answer, 500, "out of memory");
  int error = 0;
  if (request->expects_continue) {
    uv_buf_t go_on = uv_buf_init((char *)"HTTP/1.1 100 Continue\r\n\r\n", 25);
    error = connection_write(&client->connection, &go_on, 1);
  }
  if (error == 0)
    error = read_body(client, body, request->length);
  if (error != 0) {
    answer_text(answer, error == UV_ETIMEDOUT ? 408 : 400, "the body did not come whole");
  } else {
    char why[PICTURE_WHY];
    int status = picture_paint(client->server->be, body, request->length, radius, &answer->memory,
                               &answer->body_bytes, why);
    if (status != 0) {
      answer_text(answer, status, why);
      answer->ends = false; /* the body was read */
    } else {
      answer->status = 200;
      answer->type = "image/png";
      answer->body = answer->memory;
    }
    if (status >= 500)
      fprintf(stderr, "%s\n", why);
  }
  free(body);
}

static void answer_filter(struct client *client, const struct http_request *request,
                          struct answer *answer) {
  int radius = parse_radius(request->query);
  if (radius < 0)
    return answer_text(answer, 400, "the only parameter is radius, from 1 to 32");
  if (!request->has_length)
    return answer_text(answer, 411, "Content-Length is missing");
  if (request->length > MOST_BODY)
    return answer_text(answer, 413, "a picture may have 4 MiB");
  if (request->length == 0)
    return answer_text(answer, 400, "the body has to be a PNG file");
  if (client->server->picture_count == MOST_PICTURES)
    return answer_text(answer, 503, "too many pictures at a time; try again");
  ++client->server->picture_count;
  paint_body(client, request, radius, answer);
  --client->server->picture_count;
}

static const struct {
  const char *path;
  const char *methods[2];
  const char *allow;
  void (*serve)(struct client *, const struct http_request *, struct answer *);
} places[] = {
    {"/health", {"GET", "HEAD"}, "GET, HEAD", answer_health},
    {"/filter", {"POST", "POST"}, "POST", answer_filter},
};

static void answer_request(struct client *client, const struct http_request *request,
                           struct answer *answer) {
  for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i)
    if (strcmp(request->path, places[i].path) == 0) {
      if (strcmp(request->method, places[i].methods[0]) == 0 ||
          strcmp(request->method, places[i].methods[1]) == 0)
        return places[i].serve(client, request, answer);
      answer->methods = places[i].allow;
      return answer_text(answer, 405, "this is asked for by another method");
    }
  answer_text(answer, 404, "there are GET /health and POST /filter?radius=4");
}

/* ---- One connection ---- */

/* Reads until there is a whole head. Returns 0, the status of an answer, or an error of libuv, to
 * which there is none. */
static int read_head(struct client *client, size_t *length) {
  client->between_requests = client->filled == 0;
  while ((*length = http_head_length(client->bytes, client->filled)) == 0) {
    if (client->between_requests && client->server->stopping)
      return UV_ECANCELED;
    if (client->filled == sizeof client->bytes)
      return memchr(client->bytes, '\n', client->filled) ? 431 : 414;
    ssize_t now = connection_read(&client->connection, client->bytes + client->filled,
                                  sizeof client->bytes - client->filled);
    if (now < 0)
      return now == UV_ETIMEDOUT && client->filled > 0 ? 408 : (int)now;
    client->between_requests = false;
    client->filled += (size_t)now;
  }
  client->between_requests = false;
  return 0;
}

static bool write_answer(struct client *client, const struct answer *answer, bool only_head) {
  char head[512], date[64];
  time_t now = time(NULL);
  struct tm utc;
  strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &utc));
  int length = snprintf(
      head, sizeof head,
      "HTTP/1.1 %d %s\r\nDate: %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s%s%s%s\r\n",
      answer->status, http_reason(answer->status), date, answer->type, answer->body_bytes,
      answer->methods ? "Allow: " : "", answer->methods ? answer->methods : "",
      answer->methods ? "\r\n" : "", answer->ends ? "Connection: close\r\n" : "");
  uv_buf_t parts[2] = {uv_buf_init(head, (unsigned)length),
                       uv_buf_init((char *)answer->body, (unsigned)answer->body_bytes)};
  connection_set_patience(&client->connection, client->server->patience);
  return connection_write(&client->connection, parts, only_head ? 1 : 2) == 0;
}

/* Takes one request from its first byte to the last one of the answer. False: that was the last. */
static bool serve_request(struct client *client) {
  struct http_request request = {.method = ""};
  struct answer answer = {0};
  size_t head_length;
  const char *why = "the head of the request is too long, or too slow";
  connection_set_patience(&client->connection, client->server->patience);
  int status = read_head(client, &head_length);
  if (status < 0)
    return false;
  if (status == 0) {
    client->used = head_length;
    status = http_parse(client->bytes, head_length, &request, &why);
  }
  if (status != 0)
    answer_text(&answer, status, why);
  else
    answer_request(client, &request, &answer);
  answer.ends |= !request.keep_alive || client->server->stopping;
  bool goes_on = write_answer(client, &answer, strcmp(request.method, "HEAD") == 0) && !answer.ends;
  free(answer.memory);
  /* What came after it is the beginning of the next. */
  client->filled -= client->used;
  memmove(client->bytes, client->bytes + client->used, client->filled);
  client->used = 0;
  return goes_on;
}

/* Waits until the other side has closed too: closing while it still sends could lose the answer. */
static void finish(struct client *client) {
  connection_set_patience(&client->connection, client->server->patience);
  if (connection_shut_down(&client->connection))
    while (connection_read(&client->connection, client->bytes, sizeof client->bytes) > 0) {
    }
  connection_close(&client->connection);
}

ka_status client_serve(void *argument, void **result) {
  struct client *client = argument;
  (void)result;
  while (serve_request(client)) {
  }
  finish(client);
  ka_task_release(client->task);
  client_remove(client);
  return KA_OK;
}
