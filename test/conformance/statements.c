// Statements and the order of effects: statement expressions, commas, short circuits, jumps into
// and out of scopes, cleanups, structures that are returned and copied on.
#include "check.h"

// With declarations, loops and jumps out of it inside; the value is the last expression's, or none.
static unsigned long statement_expressions(int n) {
  unsigned long r = 0;
  for (int i = 0; i < 6; i++) {
    int v = ({
      int s = n;
      for (int k = 0; k < i; k++)
        s += ({ k * 2; });
      if (s % 7 == 3)
        continue;
      if (s > 90)
        goto out;
      s;
    });
    MIX(r, v);
  }
out:;
  struct pair {
    int a, b;
  } p = ({
    struct pair q = {n, 1};
    q.b += n;
    q;
  });
  ({ MIX(r, 5); });
  MIX(r, p.a), MIX(r, ({ p; }).b), MIX(r, sizeof({
                                         char c = 1;
                                         c;
                                       }));
  const char *w = ({ n & 1 ? "odd" : "even"; });
  MIX(r, w[n % 3]);
  return r;
}

static int bump(int *counter, int by) { return *counter += by; }

// What is on the right of && || ?: and , happens only when it must, and in that order.
static unsigned long order_of_effects(int n) {
  int c = 0;
  unsigned long r = 0;
  MIX(r, (n & 1 && bump(&c, 1) > 0) || (n & 2 && bump(&c, 10)) || bump(&c, 100) < 0);
  MIX(r, !(n & 4) || (bump(&c, 3), n & 8) ? bump(&c, 7) : -bump(&c, 9));
  MIX(r, n % 5 == 0   ? bump(&c, 1)
         : n % 5 == 1 ? n % 3 ? bump(&c, 2) : 4
         : n % 5 == 2 ? (bump(&c, 5), c * 2)
                      : (n & 1   ? (n & 2 ? 1 : 2)
                         : n & 2 ? 3
                                 : 4));
  int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, i = n % 3, *p = a;
  a[i++] += 10, a[i] *= 2, p += i;
  MIX(r, *p++), MIX(r, *++p), MIX(r, ++*p), MIX(r, (*p)--), MIX(r, p[-1]), MIX(r, p - a);
  i = (i += 2, i <<= 1, ~i);
  MIX(r, i), MIX(r, c), MIX(r, (c ?: 77) + (0 ?: n));
  for (int k = 0, l = 9; k < l; k++, l -= 2)
    MIX(r, k * l);
  int x = n, y = x++ * 2, z = (x == n + 1) + -~x;
  MIX(r, y - z), MIX(r, (n, x, y)), MIX(r, n > 10 == 1 ^ n < 30 & 1);
  x = y = z = n & 7;
  x -= y += z *= 2;
  return MIX(r, x), MIX(r, y), MIX(r, z);
}

// Into the middle of blocks, loops and switches: variables there have no value yet.
static unsigned long jumps_into_scopes(int n) {
  unsigned long r = 0;
  int turns = 0;
  if (n % 4 == 1)
    goto inside;
  if (n % 4 == 2)
    goto branch;
  for (int i = 0; i < 3; i++) {
    int own;
    MIX(r, i);
    if (0) {
    inside:
      i = 1;
    }
    own = i * 5;
    MIX(r, own);
    if (own == 5 && n > 20)
      goto past;
  }
  {
    int before = n;
    if (before > 30) {
      MIX(r, 1);
    } else {
    branch:
      before = 4;
      MIX(r, 2);
    }
    MIX(r, before);
    switch (before % 3) {
      int kept;
    case 0:
      kept = 3;
      goto two;
      while (turns < 4) {
      case 1:
        kept = 8;
      two:
        MIX(r, kept + turns);
        if (++turns == 3)
          break;
        kept = turns;
      }
      MIX(r, 11);
      break;
    default:
      if (n & 1)
      case 100:
        MIX(r, 6);
      else
        goto past;
    }
  }
  MIX(r, 99);
past:
  MIX(r, turns);
  return r;
}

static unsigned long cases_in_ranges(int n) {
  unsigned long r = 0;
  for (int v = n - 25; v < n + 300; v += 11) {
    switch (v) {
    case -25 ... - 1:
      MIX(r, 1);
      break;
    case 0:
    case 1 ... 9:
      MIX(r, 2); // falls through
    case 10 ... 10:
      MIX(r, 3);
      continue;
    case 100 ... 255:
      MIX(r, v);
      break;
    default:
      MIX(r, 4);
    }
    switch ((unsigned char)v)
    case 'a' ... 'z':
      MIX(r, 5);
    switch (v & 1)
      ;
    switch (v * (1L << 33)) {
    case 1L << 33 ... 20L << 33:
      MIX(r, 6);
    }
  }
  return r;
}

#define COPY_EIGHT *to++ = *from++;
static unsigned long interlaced(int n) {
  unsigned char source[32], target[32] = {0}, *to = target;
  for (int i = 0; i < 32; i++)
    source[i] = (unsigned char)(i * n);
  const unsigned char *from = source;
  int count = n % 30 + 1, rounds = (count + 3) / 4;
  switch (count & 3) {
    do {
    case 0:
      COPY_EIGHT;
    case 3:
      COPY_EIGHT;
    case 2:
      COPY_EIGHT;
    case 1:
      COPY_EIGHT;
    } while (--rounds);
  }
  unsigned long r = (unsigned long)(to - target);
  for (int i = 0; i < 32; i++)
    MIX(r, target[i]);
  return r;
}

struct note {
  unsigned long *to;
  int value;
};
static void write_note(struct note *n) { MIX(*n->to, n->value); }
#define NOTE(name, v) __attribute__((cleanup(write_note))) struct note name = {&r, v}

// In the reverse order, on each way out of the scope.
static unsigned long left_by_jumps(int n) {
  unsigned long r = 0;
  NOTE(outer, 1);
  for (int i = 0; i < 5; i++) {
    NOTE(first, 2);
    NOTE(second, i);
    if (i == n % 3)
      continue;
    {
      NOTE(inner, 3);
      if (i == n % 7)
        goto out;
      if (i == n % 11)
        break;
    }
    MIX(r, 4);
  }
  MIX(r, 5);
out:
  switch (n % 3) {
  case 0: {
    NOTE(chosen, 6);
    outer.value++;
  } break;
  case 1:
    return r + ({
             NOTE(in_expression, 7);
             r;
           });
  }
  return r;
}

struct matrix {
  int v[2][2];
};
struct named {
  struct matrix m;
  char name[5];
  const struct matrix *from;
};
static struct matrix identity(void) { return (struct matrix){{{1, 0}, {0, 1}}}; }
static struct matrix times(struct matrix a, const struct matrix b) {
  struct matrix r;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      r.v[i][k] = a.v[i][0] * b.v[0][k] + a.v[i][1] * b.v[1][k];
  a = b;
  return r;
}
static struct named name_it(struct matrix m, const char *name, const struct matrix *from) {
  struct named r = {m, "", from};
  for (int i = 0; i < 4 && name[i]; i++)
    r.name[i] = name[i];
  return r;
}
// Structures handed on without a variable of their own, assigned in chains, and onto themselves.
static unsigned long handed_on(int n) {
  struct matrix a = {{{n, 1}, {2, 3}}}, b, c[3];
  c[n % 3] = b = a = times(times(a, identity()), (struct matrix){.v[0][1] = n});
  c[(n + 1) % 3] = *&a, c[(n + 2) % 3] = n & 1 ? a : identity();
  struct named x = name_it(times(c[0], c[1]), "long name", &c[2]), *p = &x;
  *p = x;
  x.m = *name_it(*x.from, x.name + 1, &x.m).from;
  unsigned long r = (unsigned long)times(b, a).v[1][n & 1];
  MIX(r, name_it(a, "name", &b).from->v[0][1]), MIX(r, name_it(a, "name", 0).name[n % 5]);
  MIX(r, p->m.v[1][1]), MIX(r, p->from->v[0][0]), MIX(r, x.name[n % 5]),
      MIX(r, a.v[0][0] + b.v[1][1]);
  return r;
}

// __func__ is an array of each function, also of one that is inlined.
static int letter(int k) { return __func__[k % (int)sizeof __func__]; }
static unsigned long names_of_functions(int n) {
  unsigned long r = sizeof __func__ * 10 + sizeof __FUNCTION__;
  const char *f = __PRETTY_FUNCTION__;
  MIX(r, __func__[n % 5]), MIX(r, letter(n)), MIX(r, f[n % 4]), MIX(r, __FILE_NAME__[n % 3]),
      MIX(r, __LINE__);
  return r;
}

static unsigned long empty_statements(int n) {
  unsigned long r = 0;
  ;
  ;
  {
  }
  if (n & 1)
    ;
  else
    MIX(r, 3);
  for (; n < 40; n++)
    ;
  while (n++ < 45)
    ;
  do
    ;
  while (n++ < 50);
  if (n)
  only_a_label:;
    for (;;) {
      if (n > 55)
        break;
      n++;
    }
  (void)n, (void)0;
  n;
  if (r % 100 == 99)
    goto only_a_label;
  MIX(r, n);
  return r;
end:
  (void)sizeof(&&end);
}

// What goes through assembly without an instruction is what it was.
struct pair {
  int a, b;
};
static unsigned long empty_assembly(int n) {
  unsigned long r = 0;
  int i = n;
  char c = (char)n;
  long l = n * 3;
  float f = (float)n;
  struct pair p = {n, n + 1};
  int *address = &i;
  __asm__ volatile("" : "+r"(i));
  __asm__("" : "+r"(c), "+r"(l), "+r"(p) : "r"(i) : "memory");
  __asm__ __volatile__("\n" : "+r"(address), "+m"(f)::"memory");
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("");
  int j, k;
  __asm__("" : "=r"(j) : "0"(i + 1));
  __asm__("" : [named] "=r"(k) : "[named]"(l));
  __asm__("" : "=m"(l) : "m"(i), "r"(address), "i"(3));
  MIX(r, i), MIX(r, c), MIX(r, l), MIX(r, (int)f), MIX(r, p.a * 5 + p.b);
  MIX(r, *address), MIX(r, j), MIX(r, k);
  return r;
}

#define CASES(X)                                                                                   \
  X(statement_expressions)                                                                         \
  X(order_of_effects)                                                                              \
  X(jumps_into_scopes)                                                                             \
  X(cases_in_ranges)                                                                               \
  X(interlaced)                                                                                    \
  X(left_by_jumps)                                                                                 \
  X(handed_on)                                                                                     \
  X(names_of_functions)                                                                            \
  X(empty_statements)                                                                              \
  X(empty_assembly)
#include "cases.h"
