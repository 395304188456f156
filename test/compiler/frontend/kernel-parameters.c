// Parameters that no device can take.
// RUN: %ka-verify -std=gnu23 -fblocks -fplugin-arg-ka-warn=ka-unused-pointer=ignored %s
#include <ka/ka.h>

struct inner { int a; struct { long double x; } b; };
struct outer { int n; struct inner in[2]; };
struct flexible { int n; float a[]; };
struct callback { int n; void (*unused)(int); };
struct atomic { _Atomic int count; };

[[ka::kernel]] void p1(long double x); // expected-error {{parameter 'x' of kernel 'p1' cannot be passed: 'long double' exists on the host only; use double}}
[[ka::kernel]] void p2(__int128 x);    // expected-error {{'__int128' exists on the host only; use two 64-bit integers}}
[[ka::kernel]] void p3(__float128 x);  // expected-error {{'__float128' exists on the host only; use double}}
[[ka::kernel]] void p4(struct outer o); // expected-error {{parameter 'o' of kernel 'p4' cannot be passed: the type 'long double' of member 'o.in.b.x' exists on the host only; use double}}
[[ka::kernel]] void p5(void (*f)(void)); // expected-error {{parameter 'f' of kernel 'p5' is a pointer to a function, which kernels cannot call}}
[[ka::kernel]] void p6(void (^b)(void)); // expected-error {{parameter 'b' of kernel 'p6' is a pointer to a function, which kernels cannot call}}
[[ka::kernel]] void p7(_Atomic int x); // expected-error {{'_Atomic(int)' is atomic; pass its value, or a pointer to it}}
[[ka::kernel]] void p8(struct flexible f); // expected-error {{'struct flexible' ends in a flexible array member, which is not passed; pass a pointer}}
[[ka::kernel]] void p9(int, _BitInt(65)); // expected-error {{parameter 2 of kernel 'p9' cannot be passed: '_BitInt(65)' has more than 64 bits}}
[[ka::kernel]] void p10(struct atomic a); // expected-error {{the type '_Atomic(int)' of member 'a.count' is atomic; pass its value, or a pointer to it}}
[[ka::kernel]] void p11(_Complex long double z); // expected-error {{'_Complex long double' exists on the host only; use double}}
[[ka::kernel]] void p12(__bf16 x); // expected-error {{'__bf16' is not supported in kernels; use _Float16 or float}}
[[ka::kernel]] void p13(ka_local int x); // expected-error {{a parameter marked 'ka_local' must be a pointer; its memory is sized at launch}}
struct none {};
struct around { struct none in; int a[0]; };
[[ka::kernel]] void p14(struct none e); // expected-error {{parameter 'e' of kernel 'p14' cannot be passed: 'struct none' has no size: leave the parameter out}}
[[ka::kernel]] void p15(int n, struct around a); // expected-error {{'struct around' has no size: leave the parameter out}}
[[ka::kernel]] void p16(union { } u); // expected-error {{has no size: leave the parameter out}}
[[ka::kernel]] void p17(__seg_gs int *p); // expected-error {{'__attribute__((address_space(256))) int *' leads into an address space that is the host's}}
struct far_away { __seg_fs int *p; };
[[ka::kernel]] void p18(struct far_away f); // expected-error {{the type '__attribute__((address_space(257))) int *' of member 'f.p' leads into an address space that is the host's}}

// These can be passed.
struct holds_none { int n; struct none e; };
[[ka::kernel]] void odd(struct holds_none h, struct { int a; } unnamed, const float in[restrict static 4], int (*matrix)[3][4]) {}
struct big { double m[64]; };
typedef float float4 __attribute__((ext_vector_type(4)));
enum colour { RED };
[[ka::kernel]] void fine(_Bool b, char c, enum colour e, float4 v, struct big m, struct callback cb,
                         _Complex float z, _Float16 h, _BitInt(24) i, void *p, const int *restrict q,
                         size_t n, float a[n][n], volatile int *v2, _Atomic int *at) { }
