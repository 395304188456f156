// What the C++ library gives to kernels, from std::move to std::accumulate: the values are those of the host.
// RUN: %kaccxx -std=c++23 -Wall -Wextra -Werror %s -o %t
// RUN: %t
#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <ka/ka.h>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace {
struct owner {
  int value;
  explicit owner(int v) : value(v) {}
  owner(const owner &o) : value(o.value + 1000) {}
  owner(owner &&o) noexcept : value(o.value) { o.value = -1; }
  owner &operator=(owner &&o) noexcept {
    value = std::exchange(o.value, -2);
    return *this;
  }
  // Others are not asked.
  owner *operator&() = delete;
};
struct may_throw {
  int value;
  may_throw(int v) : value(v) {}
  may_throw(const may_throw &o) noexcept : value(o.value + 100) {}
  may_throw(may_throw &&o) noexcept(false) : value(o.value) {}
};
int kind(int &) { return 1; }
int kind(const int &) { return 2; }
int kind(int &&) { return 3; }
template <class T> int passed(T &&t) { return kind(std::forward<T>(t)); }

enum { count = 40 };
int at_work(int *out, int n) {
  int i = 0;
  owner a(n), b(std::move(a)), c(b);
  out[i++] = a.value, out[i++] = b.value, out[i++] = c.value;
  c = std::move(b);
  out[i++] = b.value, out[i++] = c.value;
  std::addressof(c)->value += 5;
  std::__addressof(c)->value += 6;
  out[i++] = c.value;
  int x = n + 1, y = n + 2;
  std::swap(x, y);
  out[i++] = x, out[i++] = y, out[i++] = std::exchange(x, 77), out[i++] = x;
  out[i++] = passed(x), out[i++] = passed(std::as_const(x)), out[i++] = passed(n + 0);
  out[i++] = kind(std::move(x)), out[i++] = kind(std::as_const(x));
  may_throw m(n), copied(std::move_if_noexcept(m));
  out[i++] = copied.value;
  owner o(n), moved(std::move_if_noexcept(o));
  out[i++] = o.value, out[i++] = moved.value;
  auto pair = std::make_pair(n, n * 2);
  auto tuple = std::make_tuple(n, 3l, pair);
  out[i++] = pair.second, out[i++] = static_cast<int>(std::get<1>(tuple)), out[i++] = std::get<2>(tuple).first;
  std::optional<int> none, some = n;
  out[i++] = none.value_or(-5), out[i++] = *some, out[i++] = none.has_value();
  some.swap(none);
  out[i++] = some.has_value();
  std::array<int, 4> array = {n, n + 1, n + 2, 4};
  out[i++] = std::accumulate(array.begin(), array.end(), 10);
  std::swap(array[0], array[3]);
  out[i++] = array[0];
  out[i++] = kind(std::forward_like<int>(n)), out[i++] = kind(std::forward_like<const int &>(n));
  out[i++] = std::isdigit(n) != 0, out[i++] = std::isgraph(n) != 0, out[i++] = std::toupper(n + 60);
  return i;
}
}

[[ka::kernel]] void k(int *out, int n) { out[count - 1] = at_work(out, n); }

int main() {
  ka_backend *be = ka_default_backend();
  if (!be) {
    printf("no backend: %s\n", ka_error_message());
    return 0;
  }
  auto *p = static_cast<int *>(ka_alloc_zeroed(be, count * sizeof(int)));
  int host[count] = {};
  host[count - 1] = at_work(host, 42);
  KA_CHECK(ka_launch(be, ka_range(1), k(p, 42)));
  KA_CHECK(ka_synchronize(be));
  int wrong = 0;
  for (int i = 0; i < count; ++i)
    if (p[i] != host[i])
      fprintf(stderr, "%d: %d, not %d\n", i, p[i], host[i]), ++wrong;
  return wrong || host[count - 1] < 25;
}
