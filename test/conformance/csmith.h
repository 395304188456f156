// csmith.h - What programs by csmith include: arithmetic that is always defined, and a checksum.
//
// Wherever C leaves the result of an operation open, its safe_ function returns the left operand.
// The names are those that csmith writes: the operation, the type and the operands' signedness.
#ifndef CSMITH_H
#define CSMITH_H

#include <math.h>
#include <stdint.h>

// Types narrower than int are computed in int, as C does.
#define SAFE_SIGNED_OVERFLOW(name, T)                                                              \
  static inline T safe_##name##_func_##T##_s_s(T a, T b) {                                         \
    __typeof__(+a) r;                                                                              \
    return __builtin_##name##_overflow(a, b, &r) ? a : (T)r;                                       \
  }
#define SAFE_SIGNED_QUOTIENT(name, T, operator)                                                    \
  static inline T safe_##name##_func_##T##_s_s(T a, T b) {                                         \
    return b == 0 || (b == -1 && a == SAFE_LEAST(T)) ? a : (T)(a operator b);                      \
  }
// A negative left operand is never shifted, nor any that would lose bits.
#define SAFE_SHIFTS(T, sign, B, by)                                                                \
  static inline T safe_lshift_func_##T##_##sign##_##by(T a, B b) {                                 \
    return a < 0 || b < 0 || b >= 32 || a > SAFE_GREATEST(T) >> b ? a : (T)((uint64_t)a << b);     \
  }                                                                                                \
  static inline T safe_rshift_func_##T##_##sign##_##by(T a, B b) {                                 \
    return a < 0 || b < 0 || b >= 32 ? a : (T)(a >> b);                                            \
  }
#define SAFE_SIGNED(T)                                                                             \
  static inline T safe_unary_minus_func_##T##_s(T a) { return a == SAFE_LEAST(T) ? a : (T) - a; }  \
  SAFE_SIGNED_OVERFLOW(add, T)                                                                     \
  SAFE_SIGNED_OVERFLOW(sub, T)                                                                     \
  SAFE_SIGNED_OVERFLOW(mul, T)                                                                     \
  SAFE_SIGNED_QUOTIENT(div, T, /)                                                                  \
  SAFE_SIGNED_QUOTIENT(mod, T, %)                                                                  \
  SAFE_SHIFTS(T, s, int, s)                                                                        \
  SAFE_SHIFTS(T, s, unsigned, u)
#define SAFE_UNSIGNED(T)                                                                           \
  static inline T safe_unary_minus_func_##T##_u(T a) { return (T) - (uint64_t)a; }                 \
  static inline T safe_add_func_##T##_u_u(T a, T b) { return (T)((uint64_t)a + b); }               \
  static inline T safe_sub_func_##T##_u_u(T a, T b) { return (T)((uint64_t)a - b); }               \
  static inline T safe_mul_func_##T##_u_u(T a, T b) { return (T)((uint64_t)a * b); }               \
  static inline T safe_div_func_##T##_u_u(T a, T b) { return b == 0 ? a : (T)(a / b); }            \
  static inline T safe_mod_func_##T##_u_u(T a, T b) { return b == 0 ? a : (T)(a % b); }            \
  SAFE_SHIFTS(T, u, int, s)                                                                        \
  SAFE_SHIFTS(T, u, unsigned, u)

#define SAFE_BITS(T) (8 * (int)sizeof(T))
#define SAFE_GREATEST(T)                                                                           \
  ((T) - 1 < 0 ? (T)(((uint64_t)1 << (SAFE_BITS(T) - 1)) - 1)                                      \
               : (T)(UINT64_MAX >> (64 - SAFE_BITS(T))))
#define SAFE_LEAST(T) ((T)(-SAFE_GREATEST(T) - 1))

SAFE_SIGNED(int8_t)
SAFE_SIGNED(int16_t)
SAFE_SIGNED(int32_t)
SAFE_SIGNED(int64_t)
SAFE_UNSIGNED(uint8_t)
SAFE_UNSIGNED(uint16_t)
SAFE_UNSIGNED(uint32_t)
SAFE_UNSIGNED(uint64_t)

#define SAFE_FLOAT(name, operator)                                                                 \
  static inline float safe_##name##_func_float_f_f(float a, float b) {                             \
    float r = a operator b;                                                                        \
    return isfinite(r) ? r : a;                                                                    \
  }
SAFE_FLOAT(add, +)
SAFE_FLOAT(sub, -)
SAFE_FLOAT(mul, *)
SAFE_FLOAT(div, /)
static inline int32_t safe_convert_func_float_to_int32_t(float a) {
  return a >= -0x1p31f && a < 0x1p31f ? (int32_t)a : INT32_MAX;
}

// The checksum is the CRC-32 of Ethernet, without its last inversion. Only the host takes it.
static uint32_t crc32_context, crc32_table[256];
static inline void crc32_gentab(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t r = i;
    for (int bit = 0; bit < 8; bit++)
      r = r & 1 ? r >> 1 ^ 0xedb88320u : r >> 1;
    crc32_table[i] = r;
  }
}
static inline void transparent_crc_bytes(const void *bytes, int count, const char *name,
                                         int print) {
  (void)name, (void)print;
  for (int i = 0; i < count; i++)
    crc32_context =
        crc32_context >> 8 ^ crc32_table[(crc32_context ^ ((const unsigned char *)bytes)[i]) & 255];
}
static inline void transparent_crc(uint64_t value, const char *name, int print) {
  transparent_crc_bytes(&value, sizeof value, name, print);
}

#endif
