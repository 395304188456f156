/* The group "http": how long the example server takes for /health while it paints over pictures.
 *
 * wrk asks for /health as fast as it is answered, and a second wrk sends pictures, two at a time,
 * so that there is always a kernel under way. Servers and wrk are children.
 */
#include "../../docs/examples/server/paint.h"
#include "child.h"
#include "groups.h"
#include "measure.h"
#include "work.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 451, HEIGHT = 300 }; /* of the photograph */
enum { KERNEL_MS = 100, PROMISED_MS = 5, SECONDS = 5 };

static double paint_ms(const unsigned char *in, unsigned char *out, int radius) {
  double start = measure_now();
  if (paint(work_backend, in, out, WIDTH, HEIGHT, radius) != KA_OK ||
      ka_synchronize(work_backend) != KA_OK) {
    fprintf(stderr, "ka-bench: %s\n", ka_error_message());
    return -1;
  }
  return 1e3 * (measure_now() - start);
}

/* The least radius whose kernel takes so long, by the better of two runs; 0 if none can be had. */
static int radius_for(double ms) {
  size_t bytes = (size_t)3 * WIDTH * HEIGHT;
  unsigned char *in = ka_alloc(work_backend, bytes), *out = ka_alloc(work_backend, bytes);
  int radius = in && out ? PAINT_LEAST_RADIUS : 0;
  for (size_t i = 0; radius && i < bytes; ++i)
    in[i] = (unsigned char)(i * i / 7);
  while (radius && radius < PAINT_MOST_RADIUS) {
    double first = paint_ms(in, out, radius), second = paint_ms(in, out, radius);
    if (first < 0 || second < 0)
      radius = 0;
    else if (first >= ms && second >= ms)
      break;
    else
      ++radius;
  }
  ka_free(in);
  ka_free(out);
  return radius;
}

/* ---- Children ---- */

struct answers {
  long p50_us, p99_us, most_us, count, errors;
};

/* The port of a server that has started; 0 after a message. */
static int start_server(struct child *server, const char *nice) {
  const char *arguments[] = {BENCHMARK_SERVER, "--port=0", nice, NULL};
  char line[256];
  int port = 0;
  if (!child_start(server, arguments))
    return 0;
  while (!port && child_line(server, line, sizeof line))
    sscanf(line, "server: http://127.0.0.1:%d/", &port);
  if (!port)
    fputs("ka-bench: the example server did not start\n", stderr);
  return port;
}

/* It runs until it is stopped. It has begun when this returns: before it says so, and how it does
 * it, an interrupt would end it or be lost. */
static bool start_wrk(struct child *wrk, const char *connections, const char *script,
                      const char *url) {
  static const char photo[] = BENCHMARK_TOP_DIR "/docs/examples/photo/chelsea.png";
  const char *arguments[] = {BENCHMARK_WRK, "-t1",  connections, "-d1h", "--timeout", "10s",
                             "-s",          script, url,         "--",   photo,       NULL};
  char line[256] = "";
  if (!child_start(wrk, arguments))
    return false;
  while (strncmp(line, "Running", strlen("Running")) != 0)
    if (!child_line(wrk, line, sizeof line))
      return child_end(wrk) && false;
  return child_line(wrk, line, sizeof line);
}

/* Until it says something, since an interrupt that comes just before it sleeps does not wake it. */
static void interrupt(const struct child *wrk) {
  struct pollfd output = {.fd = fileno(wrk->output), .events = POLLIN};
  do
    kill(wrk->pid, SIGINT);
  while (poll(&output, 1, 1000) == 0);
}

static bool stop_wrk(struct child *wrk, struct answers *answers) {
  char line[256];
  bool found = false;
  interrupt(wrk);
  while (child_line(wrk, line, sizeof line))
    found |= sscanf(line, "answers %ld %ld %ld %ld %ld", &answers->p50_us, &answers->p99_us,
                    &answers->most_us, &answers->count, &answers->errors) == 5;
  if (!child_end(wrk))
    return false;
  if (found && answers->errors == 0)
    return true;
  fprintf(stderr, "ka-bench: the example server gave %ld wrong answers\n", answers->errors);
  return false;
}

/* ---- Measuring ---- */

static const char health_script[] = BENCHMARK_SOURCE_DIR "/http_report.lua";
static const char picture_script[] = BENCHMARK_SOURCE_DIR "/http_post.lua";

static void let_run(double seconds) {
  struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
  nanosleep(&time, NULL);
}

static bool measure_health(int port, struct answers *health) {
  char url[64];
  struct child wrk;
  snprintf(url, sizeof url, "http://127.0.0.1:%d/health", port);
  if (!start_wrk(&wrk, "-c4", health_script, url))
    return false;
  let_run(measure_effort()->quick ? 0.1 : SECONDS);
  return stop_wrk(&wrk, health);
}

/* `radius` 0: there are no pictures. */
static bool measure_meanwhile(int port, int radius, struct answers *health) {
  char url[64];
  struct child wrk;
  struct answers pictures;
  if (!radius)
    return measure_health(port, health);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/filter?radius=%d", port, radius);
  if (!start_wrk(&wrk, "-c2", picture_script, url))
    return false;
  let_run(measure_effort()->quick ? 0.05 : 1); /* the first builds the kernel */
  bool good = measure_health(port, health);
  if (!stop_wrk(&wrk, &pictures) || !good)
    return false;
  if (pictures.count > 0 || measure_effort()->quick)
    return true;
  fputs("ka-bench: no picture was painted meanwhile\n", stderr);
  return false;
}

static bool report(const char *what, const char *which, long us, double bound, long count) {
  char name[64];
  snprintf(name, sizeof name, "/health, %s, %s", what, which);
  return measure_report(&(struct figure){.group = "http",
                                         .name = name,
                                         .unit = "ms",
                                         .ka = 1e-3 * (double)us,
                                         .bound = bound,
                                         .runs = (int)count});
}

static bool health(const char *what, const char *nice, int radius, double bound) {
  struct child server;
  struct answers found;
  int port = start_server(&server, nice);
  bool good = port && measure_meanwhile(port, radius, &found);
  if (server.output) {
    kill(server.pid, SIGTERM);
    good = child_end(&server) && good;
  }
  return good && report(what, "p50", found.p50_us, 0, found.count) &&
         report(what, "p99", found.p99_us, bound, found.count) &&
         report(what, "longest", found.most_us, 0, found.count);
}

bool group_http(void) {
  if (!*BENCHMARK_WRK)
    return measure_missing("http", "/health", "ms", "there was no wrk when this was built");
  if (!work_open())
    return false;
  int radius = radius_for(measure_effort()->quick ? 0 : KERNEL_MS);
  return radius && health("no kernels", "--nice=0", 0, 0) &&
         health("kernels", "--nice=0", radius, PROMISED_MS) &&
         health("kernels, --nice=10", "--nice=10", radius, PROMISED_MS);
}
