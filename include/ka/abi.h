/* ka/abi.h - what kacc's objects and libka agree on.
 *
 * A translation unit that defines kernels carries one ka__module and, for each kernel, one
 * ka__kernel. Constructors and destructors made by the compiler register the module with libka.
 * The module points at its bundle: OffloadBinary images (LLVM's format, section
 * .llvm.offloading), the first of which holds the metadata described below and the others one
 * device image each. Programs use ka/ka.h; only the compiler, libka and tools that read bundles
 * include what is here.
 */
#ifndef KA_ABI_H
#define KA_ABI_H

/* All of ka's headers include this one. What GNU's dialect of C90 lacks, clang adds. */
#if defined(__cplusplus)
#if __cplusplus < 201103L
#define KA__OLD_STANDARD
#endif
#elif defined(__STRICT_ANSI__) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#define KA__OLD_STANDARD
#endif
#ifdef KA__OLD_STANDARD
#error "ka's headers need C99 or C++11: compile without -ansi, for example with -std=c17"
#endif

/* Also where clang only preprocesses, it knows ka's groups of warnings from here on. */
#ifdef __KA__
#pragma ka diagnostics
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks what libka exports. */
#if defined(__GNUC__)
#define KA_API __attribute__((visibility("default")))
#else
#define KA_API
#endif

/* Changes when a structure of this file changes its meaning. libka refuses other versions. */
#define KA__ABI_VERSION 2u

/* ---- Objects of a translation unit ---------------------------------------------------------- */

/* One per translation unit. Written by the compiler; `state` belongs to libka. */
struct ka__module {
  uint32_t abi_version;  /* KA__ABI_VERSION of the compiler that wrote it */
  uint32_t kernel_count; /* kernels in the metadata */
  const void *bundle;    /* concatenated OffloadBinary images, 8-byte aligned */
  uint64_t bundle_bytes;
  const char *source; /* the main source file, for messages */
  void *state;        /* NULL until registered */
};

/* One per kernel, symbol "ka.kernel.<symbol of the kernel>", with the kernel's own linkage and
 * visibility. A translation unit that only declares a kernel refers to it by that symbol. */
struct ka__kernel {
  struct ka__module *module;
  const char *name; /* as in the source; for messages */
  uint32_t index;   /* of its record in the metadata */
  uint32_t reserved;
  void *state; /* NULL until the first use; belongs to libka */
};

/* Called by constructors and destructors that the compiler makes. Launches of the module's kernels
 * that are still in flight run on after the destructor; what they need of the module was copied.
 * The destructor does not wait for them: it runs under the dynamic linker's lock, which a driver
 * may need before it can start a kernel. */
KA_API void ka__module_register(struct ka__module *module);
KA_API void ka__module_unregister(struct ka__module *module);

/* The host body of every kernel: a kernel was called as a plain function, through a pointer that
 * the compiler could not see. Prints what to write instead and aborts. */
KA_API void ka__kernel_called(const struct ka__kernel *kernel) __attribute__((__noreturn__));

/* ---- Bundle ---------------------------------------------------------------------------------
 * Every image carries the string "ka.content": "metadata", or the target's name ("spirv", "ptx").
 * For images, "triple" names LLVM's triple. Device entry points have the kernel's symbol as their
 * name; each takes the kernel's parameters in order, one device parameter each, but those that are
 * KA_METADATA_SPILLED, since all together are more than devices take. A kernel that has such ones,
 * KA_METADATA_SPILLS, takes behind the others a pointer to a copy of the tuple, from which it reads
 * them. One with KA_METADATA_MAILBOX takes behind that a pointer to a struct ka_mailbox, and a
 * 64-bit number by which the host knows the launch. A kernel with KA_METADATA_PADDED has a second
 * entry point, "<symbol>__ka_padded", which takes more 64-bit parameters: the extents of the range
 * in x, y and z, then for each KA_METADATA_LOCAL parameter in order its size in bytes. It is the
 * variant for ranges that the group size does not divide. Without the flag the plain entry point
 * serves every range, and sees it rounded up to whole groups. Last of all, both take what
 * item_local_bytes speaks of.
 *
 * A kernel with KA_METADATA_GROUP has a further entry point, "<symbol>__ka_group", for devices that
 * run the items of a group one after the other, CPUs above all: one item of the device does the
 * work of a whole group. It takes, instead of what the padded one takes besides, a struct
 * ka_group_range by value (in SPIR-V a vector of 16 numbers), and is launched in groups of one
 * item. It is the variant for ranges of whole groups, or, with KA_METADATA_ANY_GROUP, for all.
 *
 * An image may carry a checksum of its content in "ka.checksum": 64-bit FNV-1a as 16 lower-case
 * hexadecimal digits. libka refuses an image that does not match it: not every driver is safe
 * against damaged images.
 */
#define KA__CONTENT_KEY      "ka.content"
#define KA__CONTENT_METADATA "metadata"
#define KA__CHECKSUM_KEY     "ka.checksum"
#define KA__PADDED_SUFFIX    "__ka_padded"
#define KA__GROUP_SUFFIX     "__ka_group"

/* ---- Metadata --------------------------------------------------------------------------------
 * Little-endian, 8-byte aligned, no pointers: a header, four tables of fixed-size records, and
 * NUL-terminated strings named by their offset from `string_offset`. Offsets count bytes from the
 * start of the header. Each kernel has parameters and sites of its own, each parameter pointers of
 * its own: no record serves twice. A reader checks every offset and index once and then uses the
 * records in place.
 */
#define KA_METADATA_MAGIC   0x314d414bu /* "KAM1" */
#define KA_METADATA_VERSION 2u

struct ka_metadata_header {
  uint32_t magic;
  uint32_t version;
  uint32_t bytes; /* of the whole metadata */
  uint32_t kernel_count, kernel_offset;
  uint32_t param_count, param_offset;
  uint32_t pointer_count, pointer_offset;
  uint32_t string_bytes, string_offset;
  uint32_t site_count, site_offset;
  uint32_t reserved;
};

enum ka_metadata_kernel_flags {
  KA_METADATA_PADDED = 1u << 0,         /* has the "__ka_padded" entry point */
  KA_METADATA_BARRIER = 1u << 1,        /* synchronises the items of a group */
  KA_METADATA_SUB_GROUP = 1u << 2,      /* needs sub-groups of the device; no SPIR-V image does */
  KA_METADATA_FP64 = 1u << 3,           /* double arithmetic */
  KA_METADATA_FP16 = 1u << 4,           /* _Float16 arithmetic */
  KA_METADATA_INT64_ATOMICS = 1u << 5,  /* atomics on 64-bit objects */
  KA_METADATA_UNSAFE_INDICES = 1u << 6, /* [[ka::unsafe_indices]]: no range guard */
  /* Pointers whose address space is known at run time only. For tools that judge a kernel's speed;
   * libka does not read it, since every device that takes an image can run it. */
  KA_METADATA_GENERIC = 1u << 7,
  KA_METADATA_SPILLS = 1u << 8,  /* some parameters are KA_METADATA_SPILLED */
  KA_METADATA_MAILBOX = 1u << 9, /* may have something to tell the host: takes a mailbox */
  KA_METADATA_PRINTS = 1u << 10, /* may print; has KA_METADATA_MAILBOX, too */
  KA_METADATA_GROUP = 1u << 11,  /* has the "__ka_group" entry point */
  /* That entry point does not care how the range is divided: it is launched for parts of any length
   * along x, and of one item along y and z. */
  KA_METADATA_ANY_GROUP = 1u << 12
};

struct ka_metadata_kernel {
  uint32_t name;   /* string: as in the source */
  uint32_t symbol; /* string: the linker's and the device's name */
  uint32_t file;   /* string */
  uint32_t line, column;
  uint32_t flags;       /* ka_metadata_kernel_flags */
  uint32_t first_param; /* index into the table of parameters */
  uint32_t param_count;
  uint32_t group_size[3]; /* static group size; 0, 0, 0: none */
  uint32_t tuple_align;   /* bytes */
  uint64_t tuple_bytes;   /* sizeof the argument tuple */
  uint64_t local_bytes;   /* static group memory */
  /* Group memory through which the items of a group exchange values, bytes for each item; if it is
   * not 0, the plain and the padded entry point take a pointer to it as their very last parameter.
   * Such a kernel has no KA_METADATA_GROUP. */
  uint32_t item_local_bytes;
  uint32_t sub_group_size; /* most items in a sub-group; 0: asks nothing of sub-groups */
  uint32_t first_site;     /* places that write to the mailbox: range of the table of sites */
  uint32_t site_count;
};

enum ka_metadata_param_kind {
  KA_METADATA_SCALAR = 0,    /* integer, floating, _Bool, enum, complex, vector */
  KA_METADATA_POINTER = 1,   /* pointer to global memory */
  KA_METADATA_AGGREGATE = 2, /* struct or union by value */
  KA_METADATA_LOCAL = 3      /* ka_local pointer: the tuple holds the byte count of ka_scratch() */
};

enum ka_metadata_param_flags {
  KA_METADATA_CONST = 1u << 0,    /* pointer to const */
  KA_METADATA_RESTRICT = 1u << 1, /* restrict pointer */
  KA_METADATA_VOLATILE = 1u << 2, /* pointer to volatile */
  KA_METADATA_FLOATING = 1u << 3, /* scalar: real floating type */
  KA_METADATA_SIGNED = 1u << 4,   /* scalar: signed integer type */
  /* The device reads it from a copy of the tuple; not of kind KA_METADATA_LOCAL. */
  KA_METADATA_SPILLED = 1u << 5
};

/* What a value is: a class, and the size in bytes in the bits above; size 0: not said. 0 says
 * nothing at all. Arguments that are put together at run time are checked by it. */
enum ka_metadata_class {
  KA_METADATA_INTEGER = 1, /* char and enumerations too; signed and unsigned alike */
  KA_METADATA_BOOL = 2,
  KA_METADATA_FLOAT = 3,
  KA_METADATA_COMPLEX = 4, /* of floating type */
  KA_METADATA_VECTOR = 5,
  KA_METADATA_RECORD = 6,  /* struct or union */
  KA_METADATA_VOID = 7,    /* behind a pointer only, as is the next */
  KA_METADATA_ADDRESS = 8, /* another pointer */
  KA_METADATA_CLASSES
};
#define KA__ELEMENT(class, bytes) ((uint32_t)(class) | (uint32_t)(bytes) << 8)
#define KA__ELEMENT_BYTES_MAX     0xffffffu

struct ka_metadata_param {
  uint32_t name; /* string; "" for an unnamed parameter */
  uint32_t type; /* string: the C type as written */
  uint32_t kind; /* ka_metadata_param_kind */
  uint32_t flags;
  uint64_t offset;        /* in the tuple, bytes */
  uint64_t size;          /* bytes, as sizeof; not 0 */
  uint32_t align;         /* bytes */
  uint32_t first_pointer; /* pointers inside an aggregate: range of the table of pointers */
  uint32_t pointer_count;
  uint32_t element; /* KA__ELEMENT of the value, for pointers of what they point to */
};

enum ka_metadata_pointer_flags {
  KA_METADATA_IN_UNION = 1u << 0 /* another member of a union may be what is stored there */
};

/* A pointer member at a known place inside an aggregate parameter. */
struct ka_metadata_pointer {
  uint64_t offset; /* in the parameter, bytes */
  uint32_t path;   /* string: "a.b[2].p", without the parameter's own name */
  uint32_t flags;  /* ka_metadata_pointer_flags */
};

enum ka_metadata_site_kind {
  KA_METADATA_ASSERT = 0, /* assert */
  KA_METADATA_TRAP = 1,   /* ka_trap */
  KA_METADATA_ABORT = 2   /* abort, __builtin_trap, or a check of clang's: the text says which */
};

/* A place in a kernel, or in a function it calls, that writes to the mailbox. */
struct ka_metadata_site {
  uint32_t kind;     /* ka_metadata_site_kind */
  uint32_t text;     /* string: the assertion, the text of ka_trap, or the function called */
  uint32_t file;     /* string */
  uint32_t line;     /* 0: not known */
  uint32_t function; /* string: the function that it stands in; "" if not known */
  uint32_t reserved;
};

/* ---- Range of the group variant --------------------------------------------------------------
 * What the "__ka_group" entry point is told of the range, in items along x, y and z. Group g of the
 * device does the items from g * part on, as many as `part` says, or what is left of the extent.
 */
struct ka_group_range {
  uint64_t extent[3];
  uint64_t offset[3];
  uint64_t group[3];    /* size of the groups that the program knows of */
  uint64_t part[3];     /* that size, or with KA_METADATA_ANY_GROUP any with 1 along y and z */
  uint64_t reserved[4]; /* vectors have 2, 3, 4, 8 or 16 elements */
};

/* ---- Mailbox ---------------------------------------------------------------------------------
 * What kernels tell the host: memory of a queue, seen by its device and by the host. The host looks
 * when a launch has completed, so plain stores are enough but where items meet.
 */
struct ka_mailbox {
  uint32_t failed; /* not 0: there is a failure; the item that changed it from 0 describes it */
  uint32_t site;   /* which of the kernel's sites */
  uint64_t launch; /* the number that the entry point was passed */
  uint64_t global_id[3]; /* of the item, with the launch's offset */
  uint64_t group_id[3];
  struct ka__print_buffer *prints; /* of the queue, for kernels with KA_METADATA_PRINTS */
};
/* What `launch` is while there is no failure. */
#define KA__NO_LAUNCH UINT64_MAX

/* ---- Print buffer -----------------------------------------------------------------------------
 * What kernels have printed: a header, then `capacity` bytes of records, one behind the other. An
 * item reserves room by adding the size of its record to `used`; what does not fit is counted in
 * `lost`. A record is written before its size is, so that one whose size is 0 is still to come.
 *
 * - uint32_t bytes: of the record, a multiple of 8;
 * - uint32_t text_bytes: of what follows;
 * - char text[]: the format with its terminating zero, then a KA__PRINT_ tag for each slot; zeros
 *   up to a multiple of 8;
 * - uint64_t slots[]: the arguments in order, also those that are widths and precisions; the
 *   elements of a vector have a slot each;
 * - char strings[]: the bytes of string arguments, each up to a multiple of 8.
 *
 * A slot holds an integer or pointer, extended to 64 bits; a float in its first 4 bytes; a double;
 * the length of a string in bytes, without a terminating zero, or KA__PRINT_NULL. */
struct ka__print_buffer {
  uint32_t capacity; /* bytes of records; a multiple of 8 */
  uint32_t used;     /* may exceed the capacity */
  uint32_t lost;     /* records */
  uint32_t reserved;
};

#define KA__PRINT_INTEGER 'i'
#define KA__PRINT_FLOAT   'f'
#define KA__PRINT_DOUBLE  'd'
#define KA__PRINT_STRING  's'
#define KA__PRINT_NULL    UINT64_MAX

#ifdef __cplusplus
}
#endif
#endif
