// What is refused of C++, each in a function that a kernel reaches through another one, with a note for each call on
// the way. The same functions, used on the host only, are nobody's concern.
// RUN: %ka-verify -std=c++20 -Wno-unused -ferror-limit=0 %s
// RUN: %ka-cc -std=c++20 -Wno-unused -DHOST -c %s -o %t.o 2>&1 | count 0
#include <ka/ka.h>
#include <coroutine>
#include <typeinfo>

#ifdef HOST
#define USE(f) void f##_host(int *p) { f(p); }
#else
#define USE(f) static void f##_outer(int *p) { f(p); } [[ka::kernel]] void f##_kernel(int *p) { f##_outer(p); }
#endif

static void throws(int *p) { if (*p) throw 1; } // expected-error {{exceptions are not supported in kernels}}
USE(throws) // expected-note {{'throws' is called by 'throws_outer' here}} expected-note {{'throws_outer' is called by kernel 'throws_kernel' here}}
static void catches(int *p) { try { *p = 1; } catch (int) { *p = 2; } } // expected-error {{exceptions are not supported in kernels}}
USE(catches) // expected-note {{'catches' is called by}} expected-note {{'catches_outer' is called by kernel}}
static void news(int *p) { int *q = new int(3); *p = *q; delete q; } // expected-error {{'new' is not supported in kernels}} expected-error {{'delete' is not supported in kernels}}
USE(news) // expected-note 2 {{'news' is called by}} expected-note 2 {{'news_outer' is called by kernel}}
struct base { virtual int f(int x) { return x; } int g; };
struct derived : base { int f(int x) override { return x + 1; } };
static void calls_virtual(int *p) { *p = reinterpret_cast<base *>(p)->f(1); } // expected-error {{virtual calls are not supported in kernels}}
USE(calls_virtual) // expected-note {{'calls_virtual' is called by}} expected-note {{'calls_virtual_outer' is called by kernel}}
static void makes_virtual(int *p) { derived d; *p = d.g; } // expected-error {{classes with virtual functions are not supported in kernels}}
USE(makes_virtual) // expected-note {{'makes_virtual' is called by}} expected-note {{'makes_virtual_outer' is called by kernel}}
static void asks_type(int *p) { *p = typeid(*reinterpret_cast<base *>(p)) == typeid(base); } // expected-error 2 {{'typeid' is not supported in kernels}}
USE(asks_type) // expected-note 2 {{'asks_type' is called by}} expected-note 2 {{'asks_type_outer' is called by kernel}}
static void casts(int *p) { *p = dynamic_cast<derived *>(reinterpret_cast<base *>(p)) != nullptr; } // expected-error {{'dynamic_cast' is not supported in kernels}}
USE(casts) // expected-note {{'casts' is called by}} expected-note {{'casts_outer' is called by kernel}}
static int id(int x) { return x; }
struct with_member { int m(int x) { return x; } };
static void through_member(int *p) { int (with_member::*f)(int) = &with_member::m; with_member w; *p = (w.*f)(1); } // expected-error {{pointers to functions are not supported in kernels: 'm' can only be called}} expected-error {{indirect calls are}}
USE(through_member) // expected-note 2 {{'through_member' is called by}} expected-note 2 {{'through_member_outer' is called by kernel}}
static int counter; // expected-note {{declared here}}
static void by_lambda(int *p) { auto f = [](int x) { return x + counter; }; *p = f(1); } // expected-error {{'counter' is a global variable of the host}} expected-note {{'operator()' is called by 'by_lambda' here}}
USE(by_lambda) // expected-note {{'by_lambda' is called by}} expected-note {{'by_lambda_outer' is called by kernel}}
struct made_by_host { made_by_host(); ~made_by_host(); int x; }; // expected-note 3 {{declared here}}
static void constructs(int *p) { made_by_host m; *p = m.x; } // expected-error {{call of 'made_by_host' in a kernel: its definition must be visible}} expected-error {{call of '~made_by_host' in a kernel: its definition must be visible}}
USE(constructs) // expected-note 2 {{'constructs' is called by}} expected-note 2 {{'constructs_outer' is called by kernel}}
struct converts { operator int() const; }; // expected-note {{declared here}}
static void converted(int *p) { converts c; *p = c; } // expected-error {{call of 'operator int' in a kernel: its definition must be visible}}
USE(converted) // expected-note {{'converted' is called by}} expected-note {{'converted_outer' is called by kernel}}
static void once(int *p) { static const made_by_host m; *p = m.x; } // expected-error {{'m' has an initialiser that is computed at run time}} expected-note {{declared here}} expected-error {{call of 'made_by_host' in a kernel}}
USE(once) // expected-note 2 {{'once' is called by}} expected-note 2 {{'once_outer' is called by kernel}}
template <class T> static void templated(T *p) { long double x = *p; *p = T(x); } // expected-error {{'x' has type 'long double'}}
static void instantiates(int *p) { templated(p); } // expected-note {{'templated' is called by 'instantiates' here}}
USE(instantiates) // expected-note {{'instantiates' is called by}} expected-note {{'instantiates_outer' is called by kernel}}
