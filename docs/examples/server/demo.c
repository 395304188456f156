/* The server as its own client: a thread sends it the photograph, another asks for /health as long
 * as that takes. They know nothing of ka or of the server's loop, only its port. */
#include "../example.h"
#include "../photo/image.h"
#include "paint.h"
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <png.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RADIUS = 8, MOST_CHECKS = 1 << 16 };

static struct {
  const char *photo;
  int port;
  void *file;
  size_t file_bytes;
  char *painting; /* the answer, from its first byte to its last */
  size_t painting_bytes;
  double painting_time; /* in milliseconds */
  atomic_bool painted;
  double checks[MOST_CHECKS]; /* how long each took */
  int check_count;
  pthread_t thread;
} demo;

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static void send_all(int socket, const void *data, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t now = send(socket, (const char *)data + done, bytes - done, 0);
    if (now < 0)
      fail("cannot send");
    done += (size_t)now;
  }
}

/* Asks, and returns the whole answer, malloc'ed. */
static char *ask(const char *head, const void *body, size_t body_bytes, size_t *bytes) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)demo.port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int to = socket(AF_INET, SOCK_STREAM, 0);
  if (to < 0 || connect(to, (const struct sockaddr *)&address, sizeof address) != 0)
    fail("cannot connect");
  send_all(to, head, strlen(head));
  send_all(to, body, body_bytes);
  char *answer = NULL;
  size_t room = 0;
  ssize_t now;
  *bytes = 0;
  do {
    if (room - *bytes < 4096)
      answer = realloc(answer, room = 2 * room + 8192);
    now = answer ? recv(to, answer + *bytes, room - *bytes - 1, 0) : -1;
    if (now < 0)
      fail("cannot receive");
    *bytes += (size_t)now;
  } while (now > 0);
  answer[*bytes] = 0;
  close(to);
  return answer;
}

static void *send_photo(void *none) {
  char head[256];
  snprintf(head, sizeof head,
           "POST /filter?radius=%d HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
           "Content-Length: %zu\r\n\r\n",
           RADIUS, demo.file_bytes);
  double start = example_now();
  free(demo.painting);
  demo.painting = ask(head, demo.file, demo.file_bytes, &demo.painting_bytes);
  demo.painting_time = example_now() - start;
  atomic_store(&demo.painted, true);
  return none;
}

static void *be_client(void *none) {
  static const char head[] = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  pthread_t sender;
  send_photo(NULL);
  example_print_run(0, demo.painting_time);
  atomic_store(&demo.painted, false);
  if ((errno = pthread_create(&sender, NULL, send_photo, NULL)) != 0)
    fail("cannot start a thread");
  while (!atomic_load(&demo.painted) && demo.check_count < MOST_CHECKS) {
    size_t bytes;
    double start = example_now();
    char *answer = ask(head, "", 0, &bytes);
    if (strncmp(answer, "HTTP/1.1 200", 12) != 0)
      exit(fprintf(stderr, "/health answered: %s\n", answer));
    demo.checks[demo.check_count++] = example_now() - start;
    free(answer);
  }
  pthread_join(sender, NULL);
  example_print_run(1, demo.painting_time);
  kill(getpid(), SIGTERM);
  return none;
}

void demo_start(const char *photo, int port) {
  FILE *file = fopen(photo, "rb");
  demo.photo = photo, demo.port = port;
  if (!file || fseek(file, 0, SEEK_END) != 0)
    fail(photo);
  demo.file_bytes = (size_t)ftell(file);
  demo.file = malloc(demo.file_bytes);
  rewind(file);
  if (!demo.file || fread(demo.file, 1, demo.file_bytes, file) != demo.file_bytes)
    fail(photo);
  fclose(file);
  if ((errno = pthread_create(&demo.thread, NULL, be_client, NULL)) != 0)
    fail("cannot start a thread");
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The picture in the server's answer. */
static struct image painting(void) {
  const char *body = strstr(demo.painting, "\r\n\r\n");
  png_image png = {.version = PNG_IMAGE_VERSION};
  if (strncmp(demo.painting, "HTTP/1.1 200", 12) != 0 || !body ||
      !png_image_begin_read_from_memory(&png, body + 4,
                                        demo.painting_bytes - (size_t)(body + 4 - demo.painting))) {
    fprintf(stderr, "cannot paint %s: %s\n", demo.photo, body ? body + 4 : demo.painting);
    exit(1);
  }
  png.format = PNG_FORMAT_RGB;
  struct image image = image_create(png.width, png.height);
  if (!png_image_finish_read(&png, NULL, image.pixels, 0, NULL)) {
    fprintf(stderr, "cannot read the painting: %s\n", png.message);
    exit(1);
  }
  return image;
}

int demo_finish(const char *picture) {
  pthread_join(demo.thread, NULL);
  qsort(demo.checks, (size_t)demo.check_count, sizeof demo.checks[0], by_size);
  if (demo.check_count > 0)
    printf("/health: answered %d times meanwhile, median %.3f ms, slowest %.3f ms\n",
           demo.check_count, demo.checks[demo.check_count / 2], demo.checks[demo.check_count - 1]);
  struct image photo, result = painting();
  if (!image_read(demo.photo, &photo))
    return 1;
  struct image expected = image_create(photo.width, photo.height);
  double start = example_now();
  paint_on_host(photo.pixels, expected.pixels, (int)photo.width, (int)photo.height, RADIUS);
  printf("plain C: %.3f ms, without HTTP and PNG\n", example_now() - start);
  bool same = result.width == photo.width && result.height == photo.height &&
              image_largest_difference(&expected, &result) == 0;
  if (picture) {
    struct image both = image_side_by_side(&photo, &result);
    if (!image_write(picture, &both))
      return 1;
    printf("picture: %s\n", picture);
    image_release(&both);
  }
  image_release(&photo);
  image_release(&expected);
  image_release(&result);
  free(demo.file);
  free(demo.painting);
  return example_finish(same);
}
