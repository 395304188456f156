/* ka/tuple.h - arguments of kernels that are known only when the program runs. Part of ka/ka.h.
 *
 *   ka_launch_tuple(kernel, ka_range(n), ka_tuple(2.0f, x, y));
 *
 * ka_tuple notes each argument with its type; the launch compares them with the kernel's
 * parameters. It needs C11 or C++11 and no compiler of ka's.
 */
#ifndef KA_TUPLE_H
#define KA_TUPLE_H

#include <ka/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One argument: by ka_tuple, or ka_by_value. Programs need not look inside. */
typedef struct ka_argument {
  uint32_t kind;     /* ka__argument_kind */
  uint32_t element;  /* KA__ELEMENT of the value, for pointers of what they point to */
  bool is_const;     /* pointer to const */
  uint64_t bytes;    /* its size */
  const void *where; /* the pointer itself; where a value is */
  char value[16];    /* of a scalar */
} ka_argument;

enum ka__argument_kind { KA__ARGUMENT_SCALAR, KA__ARGUMENT_POINTER, KA__ARGUMENT_ELSEWHERE };

/* Arguments in the order of the kernel's parameters. Holds pointers to the arguments that ka_tuple
 * noted: those last until the end of the block that ka_tuple is in; in C++ until the end of the
 * full expression. */
typedef struct ka_arguments {
  const ka_argument *list;
  size_t count;
} ka_arguments;

/* ka_tuple(a, b, ...): 1 to 64 arguments, as a ka_arguments.
 *
 * Taken are _Bool, character, integer and enumeration types, _Float16 where the compiler has it,
 * float, double, in C also their _Complex forms, pointers to objects, ka_scratch(bytes) for a
 * ka_local parameter, and ka_by_value(object) for structures, unions and vectors. Arrays become
 * pointers; what is volatile counts as if it were not. A type that is none of these is the C
 * compiler's error; so is, with some compilers, a bit-field: write +s.field. There are no
 * conversions as in a C call: an int does not become a size_t or a float; write (size_t)5 and 5.0f.
 * Signed and unsigned of one size go for each other. For a kernel without parameters pass NULL, 0
 * to ka_launch_tuple.
 *
 * Each argument is evaluated once, in no given order. Does not allocate. */
#define ka_tuple(...) KA__TUPLE(KA__COUNT(__VA_ARGS__), __VA_ARGS__)

/* ka_by_value(object): a structure, union or vector, as an argument of ka_tuple. `object` is an
 * lvalue, a variable for example; it is copied when the launch is made. */
#define ka_by_value(object) ka__argument_elsewhere(&(object), sizeof(object))

static inline ka_argument ka__argument(uint32_t kind, uint32_t element, bool is_const,
                                       uint64_t bytes, const void *where) {
  ka_argument a;
  a.kind = kind;
  a.element = element;
  a.is_const = is_const;
  a.bytes = bytes;
  a.where = where;
  for (size_t i = 0; i < sizeof a.value; i++)
    a.value[i] = 0;
  return a;
}

static inline ka_argument ka__argument_elsewhere(const void *where, size_t bytes) {
  return ka__argument(KA__ARGUMENT_ELSEWHERE, 0, false, bytes, where);
}

static inline ka_argument ka__argument_scalar(uint32_t element, const void *value, size_t bytes) {
  ka_argument a = ka__argument(KA__ARGUMENT_SCALAR, element, false, bytes, (const void *)0);
  for (size_t i = 0; i < bytes; i++)
    a.value[i] = ((const char *)value)[i];
  return a;
}

static inline ka_argument ka__argument_pointer(uint32_t element, bool is_const,
                                               const volatile void *p) {
  return ka__argument(KA__ARGUMENT_POINTER, element, is_const, sizeof p, (const void *)p);
}

/* The types that are told apart, but for _Bool, complex and void: X(suffix, type, class). */
#define KA__PLAIN_TYPES(X)                                                                         \
  X(char, char, KA_METADATA_INTEGER)                                                               \
  X(schar, signed char, KA_METADATA_INTEGER)                                                       \
  X(uchar, unsigned char, KA_METADATA_INTEGER)                                                     \
  X(short, short, KA_METADATA_INTEGER)                                                             \
  X(ushort, unsigned short, KA_METADATA_INTEGER)                                                   \
  X(int, int, KA_METADATA_INTEGER)                                                                 \
  X(uint, unsigned int, KA_METADATA_INTEGER)                                                       \
  X(long, long, KA_METADATA_INTEGER)                                                               \
  X(ulong, unsigned long, KA_METADATA_INTEGER)                                                     \
  X(llong, long long, KA_METADATA_INTEGER)                                                         \
  X(ullong, unsigned long long, KA_METADATA_INTEGER)                                               \
  X(float, float, KA_METADATA_FLOAT)                                                               \
  X(double, double, KA_METADATA_FLOAT)

#ifdef __FLT16_MAX__
/* No complaint about a type that C did not always have. */
__extension__ typedef _Float16 ka__half;
#define KA__HALF_TYPES(X) X(half, ka__half, KA_METADATA_FLOAT)
#else
#define KA__HALF_TYPES(X)
#endif
#define KA__NUMBER_TYPES(X) KA__PLAIN_TYPES(X) KA__HALF_TYPES(X)

#ifdef __cplusplus

/* One overload a type, and one for each way to point to it. */
#define KA__POINTERS(type, element)                                                                \
  inline ka_argument ka__argument_of(type *p) { return ka__argument_pointer(element, false, p); }  \
  inline ka_argument ka__argument_of(const type *p) {                                              \
    return ka__argument_pointer(element, true, p);                                                 \
  }                                                                                                \
  inline ka_argument ka__argument_of(volatile type *p) {                                           \
    return ka__argument_pointer(element, false, p);                                                \
  }                                                                                                \
  inline ka_argument ka__argument_of(const volatile type *p) {                                     \
    return ka__argument_pointer(element, true, p);                                                 \
  }
#define KA__OVERLOADS(suffix, type, class)                                                         \
  inline ka_argument ka__argument_of(type v) {                                                     \
    return ka__argument_scalar(KA__ELEMENT(class, sizeof v), &v, sizeof v);                        \
  }                                                                                                \
  KA__POINTERS(type, KA__ELEMENT(class, sizeof(type)))
KA__NUMBER_TYPES(KA__OVERLOADS)
KA__OVERLOADS(bool, bool, KA_METADATA_BOOL)
/* Types of their own in C++, other names of integer types in C. */
KA__OVERLOADS(wchar, wchar_t, KA_METADATA_INTEGER)
KA__OVERLOADS(char16, char16_t, KA_METADATA_INTEGER)
KA__OVERLOADS(char32, char32_t, KA_METADATA_INTEGER)
#ifdef __cpp_char8_t
KA__OVERLOADS(char8, char8_t, KA_METADATA_INTEGER)
#endif
KA__POINTERS(void, KA__ELEMENT(KA_METADATA_VOID, 0))
#undef KA__OVERLOADS
#undef KA__POINTERS
/* Pointers to all else, the most special of which fits. */
template <class T> inline ka_argument ka__argument_of(T *p) {
  return ka__argument_pointer(0, false, p);
}
template <class T> inline ka_argument ka__argument_of(const T *p) {
  return ka__argument_pointer(0, true, p);
}
template <class T> inline ka_argument ka__argument_of(const volatile T *p) {
  return ka__argument_pointer(0, true, p);
}
inline ka_argument ka__argument_of(decltype(nullptr)) {
  return ka__argument_pointer(KA__ELEMENT(KA_METADATA_VOID, 0), false, nullptr);
}
inline ka_argument ka__argument_of(const ka_argument &a) { return a; }

template <size_t N> struct ka__argument_list {
  ka_argument list[N];
  operator ka_arguments() const {
    ka_arguments all = {list, N};
    return all;
  }
};
/* By value, as a C call: arrays become pointers, and constants of classes need no definition. */
template <class... A> inline ka__argument_list<sizeof...(A)> ka__gather(A... a) {
  return {{ka__argument_of(a)...}};
}
#undef ka_tuple
#define ka_tuple(...) ka__gather(__VA_ARGS__)

#else

#define KA__VALUE_TYPES(X)                                                                         \
  KA__NUMBER_TYPES(X)                                                                              \
  X(boolean, _Bool, KA_METADATA_BOOL)                                                              \
  X(complex_float, float _Complex, KA_METADATA_COMPLEX)                                            \
  X(complex_double, double _Complex, KA_METADATA_COMPLEX)

#define KA__FUNCTIONS(suffix, type, class)                                                         \
  static inline ka_argument ka__of_##suffix(type v) {                                              \
    return ka__argument_scalar(KA__ELEMENT(class, sizeof v), &v, sizeof v);                        \
  }                                                                                                \
  static inline ka_argument ka__to_##suffix(volatile type *p) {                                    \
    return ka__argument_pointer(KA__ELEMENT(class, sizeof *p), false, p);                          \
  }                                                                                                \
  static inline ka_argument ka__to_const_##suffix(const volatile type *p) {                        \
    return ka__argument_pointer(KA__ELEMENT(class, sizeof *p), true, p);                           \
  }
KA__VALUE_TYPES(KA__FUNCTIONS)
#undef KA__FUNCTIONS
static inline ka_argument ka__to_void(volatile void *p) {
  return ka__argument_pointer(KA__ELEMENT(KA_METADATA_VOID, 0), false, p);
}
static inline ka_argument ka__to_const_void(const volatile void *p) {
  return ka__argument_pointer(KA__ELEMENT(KA_METADATA_VOID, 0), true, p);
}
static inline ka_argument ka__to_other(volatile void *p) {
  return ka__argument_pointer(0, false, p);
}
static inline ka_argument ka__to_const_other(const volatile void *p) {
  return ka__argument_pointer(0, true, p);
}
static inline ka_argument ka__argument_itself(ka_argument a) { return a; }

#define KA__CASES(suffix, type, class)                                                             \
  type:                                                                                            \
  ka__of_##suffix,                                                                                 \
      type * : ka__to_##suffix,                                                                    \
               const type * : ka__to_const_##suffix,                                               \
                              volatile type * : ka__to_##suffix,                                   \
                                                const volatile type * : ka__to_const_##suffix,
/* A null pointer for a value, so that what follows is well formed; else the pointer itself. */
#define KA__NO_POINTER(suffix, type, class)                                                        \
  type:                                                                                            \
  (void *)0,
#define KA__POINTER(x)                                                                             \
  _Generic((x), KA__VALUE_TYPES(KA__NO_POINTER) ka_argument: (void *)0, default: (x))
/* Beside a void pointer any pointer becomes one, and keeps what it says of const. */
#define KA__OTHER(x)                                                                               \
  _Generic(0 ? KA__POINTER(x) : (void *)1,                                                         \
      const void *: ka__to_const_other,                                                            \
      const volatile void *: ka__to_const_other,                                                   \
      default: ka__to_other)
#define KA__ARGUMENT(x)                                                                            \
  _Generic((x),                                                                                    \
      KA__VALUE_TYPES(KA__CASES) void *: ka__to_void,                                              \
      const void *: ka__to_const_void,                                                             \
      volatile void *: ka__to_void,                                                                \
      const volatile void *: ka__to_const_void,                                                    \
      ka_argument: ka__argument_itself,                                                            \
      default: KA__OTHER(x))(x)

#define KA__TUPLE(n, ...)  KA__TUPLE_(n, __VA_ARGS__)
#define KA__TUPLE_(n, ...) ((ka_arguments){(const ka_argument[]){KA__EACH_##n(__VA_ARGS__)}, n})

#define KA__COUNT(...)                                                                             \
  KA__COUNT_(__VA_ARGS__, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47,  \
             46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26,   \
             25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3,  \
             2, 1, )
#define KA__COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17,     \
                   a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, \
                   a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, \
                   a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, n,   \
                   ...)                                                                            \
  n

#define KA__EACH_1(a)       KA__ARGUMENT(a)
#define KA__EACH_2(a, ...)  KA__ARGUMENT(a), KA__EACH_1(__VA_ARGS__)
#define KA__EACH_3(a, ...)  KA__ARGUMENT(a), KA__EACH_2(__VA_ARGS__)
#define KA__EACH_4(a, ...)  KA__ARGUMENT(a), KA__EACH_3(__VA_ARGS__)
#define KA__EACH_5(a, ...)  KA__ARGUMENT(a), KA__EACH_4(__VA_ARGS__)
#define KA__EACH_6(a, ...)  KA__ARGUMENT(a), KA__EACH_5(__VA_ARGS__)
#define KA__EACH_7(a, ...)  KA__ARGUMENT(a), KA__EACH_6(__VA_ARGS__)
#define KA__EACH_8(a, ...)  KA__ARGUMENT(a), KA__EACH_7(__VA_ARGS__)
#define KA__EACH_9(a, ...)  KA__ARGUMENT(a), KA__EACH_8(__VA_ARGS__)
#define KA__EACH_10(a, ...) KA__ARGUMENT(a), KA__EACH_9(__VA_ARGS__)
#define KA__EACH_11(a, ...) KA__ARGUMENT(a), KA__EACH_10(__VA_ARGS__)
#define KA__EACH_12(a, ...) KA__ARGUMENT(a), KA__EACH_11(__VA_ARGS__)
#define KA__EACH_13(a, ...) KA__ARGUMENT(a), KA__EACH_12(__VA_ARGS__)
#define KA__EACH_14(a, ...) KA__ARGUMENT(a), KA__EACH_13(__VA_ARGS__)
#define KA__EACH_15(a, ...) KA__ARGUMENT(a), KA__EACH_14(__VA_ARGS__)
#define KA__EACH_16(a, ...) KA__ARGUMENT(a), KA__EACH_15(__VA_ARGS__)
#define KA__EACH_17(a, ...) KA__ARGUMENT(a), KA__EACH_16(__VA_ARGS__)
#define KA__EACH_18(a, ...) KA__ARGUMENT(a), KA__EACH_17(__VA_ARGS__)
#define KA__EACH_19(a, ...) KA__ARGUMENT(a), KA__EACH_18(__VA_ARGS__)
#define KA__EACH_20(a, ...) KA__ARGUMENT(a), KA__EACH_19(__VA_ARGS__)
#define KA__EACH_21(a, ...) KA__ARGUMENT(a), KA__EACH_20(__VA_ARGS__)
#define KA__EACH_22(a, ...) KA__ARGUMENT(a), KA__EACH_21(__VA_ARGS__)
#define KA__EACH_23(a, ...) KA__ARGUMENT(a), KA__EACH_22(__VA_ARGS__)
#define KA__EACH_24(a, ...) KA__ARGUMENT(a), KA__EACH_23(__VA_ARGS__)
#define KA__EACH_25(a, ...) KA__ARGUMENT(a), KA__EACH_24(__VA_ARGS__)
#define KA__EACH_26(a, ...) KA__ARGUMENT(a), KA__EACH_25(__VA_ARGS__)
#define KA__EACH_27(a, ...) KA__ARGUMENT(a), KA__EACH_26(__VA_ARGS__)
#define KA__EACH_28(a, ...) KA__ARGUMENT(a), KA__EACH_27(__VA_ARGS__)
#define KA__EACH_29(a, ...) KA__ARGUMENT(a), KA__EACH_28(__VA_ARGS__)
#define KA__EACH_30(a, ...) KA__ARGUMENT(a), KA__EACH_29(__VA_ARGS__)
#define KA__EACH_31(a, ...) KA__ARGUMENT(a), KA__EACH_30(__VA_ARGS__)
#define KA__EACH_32(a, ...) KA__ARGUMENT(a), KA__EACH_31(__VA_ARGS__)
#define KA__EACH_33(a, ...) KA__ARGUMENT(a), KA__EACH_32(__VA_ARGS__)
#define KA__EACH_34(a, ...) KA__ARGUMENT(a), KA__EACH_33(__VA_ARGS__)
#define KA__EACH_35(a, ...) KA__ARGUMENT(a), KA__EACH_34(__VA_ARGS__)
#define KA__EACH_36(a, ...) KA__ARGUMENT(a), KA__EACH_35(__VA_ARGS__)
#define KA__EACH_37(a, ...) KA__ARGUMENT(a), KA__EACH_36(__VA_ARGS__)
#define KA__EACH_38(a, ...) KA__ARGUMENT(a), KA__EACH_37(__VA_ARGS__)
#define KA__EACH_39(a, ...) KA__ARGUMENT(a), KA__EACH_38(__VA_ARGS__)
#define KA__EACH_40(a, ...) KA__ARGUMENT(a), KA__EACH_39(__VA_ARGS__)
#define KA__EACH_41(a, ...) KA__ARGUMENT(a), KA__EACH_40(__VA_ARGS__)
#define KA__EACH_42(a, ...) KA__ARGUMENT(a), KA__EACH_41(__VA_ARGS__)
#define KA__EACH_43(a, ...) KA__ARGUMENT(a), KA__EACH_42(__VA_ARGS__)
#define KA__EACH_44(a, ...) KA__ARGUMENT(a), KA__EACH_43(__VA_ARGS__)
#define KA__EACH_45(a, ...) KA__ARGUMENT(a), KA__EACH_44(__VA_ARGS__)
#define KA__EACH_46(a, ...) KA__ARGUMENT(a), KA__EACH_45(__VA_ARGS__)
#define KA__EACH_47(a, ...) KA__ARGUMENT(a), KA__EACH_46(__VA_ARGS__)
#define KA__EACH_48(a, ...) KA__ARGUMENT(a), KA__EACH_47(__VA_ARGS__)
#define KA__EACH_49(a, ...) KA__ARGUMENT(a), KA__EACH_48(__VA_ARGS__)
#define KA__EACH_50(a, ...) KA__ARGUMENT(a), KA__EACH_49(__VA_ARGS__)
#define KA__EACH_51(a, ...) KA__ARGUMENT(a), KA__EACH_50(__VA_ARGS__)
#define KA__EACH_52(a, ...) KA__ARGUMENT(a), KA__EACH_51(__VA_ARGS__)
#define KA__EACH_53(a, ...) KA__ARGUMENT(a), KA__EACH_52(__VA_ARGS__)
#define KA__EACH_54(a, ...) KA__ARGUMENT(a), KA__EACH_53(__VA_ARGS__)
#define KA__EACH_55(a, ...) KA__ARGUMENT(a), KA__EACH_54(__VA_ARGS__)
#define KA__EACH_56(a, ...) KA__ARGUMENT(a), KA__EACH_55(__VA_ARGS__)
#define KA__EACH_57(a, ...) KA__ARGUMENT(a), KA__EACH_56(__VA_ARGS__)
#define KA__EACH_58(a, ...) KA__ARGUMENT(a), KA__EACH_57(__VA_ARGS__)
#define KA__EACH_59(a, ...) KA__ARGUMENT(a), KA__EACH_58(__VA_ARGS__)
#define KA__EACH_60(a, ...) KA__ARGUMENT(a), KA__EACH_59(__VA_ARGS__)
#define KA__EACH_61(a, ...) KA__ARGUMENT(a), KA__EACH_60(__VA_ARGS__)
#define KA__EACH_62(a, ...) KA__ARGUMENT(a), KA__EACH_61(__VA_ARGS__)
#define KA__EACH_63(a, ...) KA__ARGUMENT(a), KA__EACH_62(__VA_ARGS__)
#define KA__EACH_64(a, ...) KA__ARGUMENT(a), KA__EACH_63(__VA_ARGS__)

#endif
#endif
