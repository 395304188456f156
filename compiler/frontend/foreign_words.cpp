//===- foreign_words.cpp - Words of OpenCL C and CUDA, and ka's for them --===//
//
// The table of docs/guide/from-plain-c.md for the compiler, with the other words that
// are in nearly every kernel.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/foreign_words.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using llvm::StringRef;
using llvm::Twine;

namespace ka {
namespace {

/// The names without the underscores are OpenCL C's too.
StringRef qualifier(StringRef Foreign) {
  return llvm::StringSwitch<StringRef>(Foreign)
      .Cases("__kernel", "kernel", "__global__", "'[[ka::kernel]]'")
      .Cases("__local", "local", "__shared__", "'ka_local'")
      .Cases("__global", "global", "__private", "__device__", "__host__", "left out")
      .Cases("__constant", "constant", "__constant__",
             "'const', and 'static const' outside of functions")
      .Case("__forceinline__", "'static inline'")
      .Case("__launch_bounds__", "'[[ka::group_size(64)]]'")
      .Default("");
}

/// Names that no C program has.
StringRef name(StringRef Foreign) {
  return llvm::StringSwitch<StringRef>(Foreign)
      .Case("reqd_work_group_size", "'[[ka::group_size(64)]]'")
      .Case("get_global_id", "'ka_global_id'")
      .Case("get_local_id", "'ka_local_id'")
      .Case("get_group_id", "'ka_group_id'")
      .Case("get_global_size", "'ka_global_size'")
      .Cases("get_local_size", "get_enqueued_local_size", "'ka_local_size'")
      .Case("get_num_groups", "'ka_num_groups'")
      .Case("get_global_offset", "'ka_global_offset'")
      .Case("get_global_linear_id", "'ka_global_linear_id'")
      .Case("get_local_linear_id", "'ka_local_linear_id'")
      .Case("get_work_dim", "left out: dimensions that a launch does not have are of size 1")
      .Case("threadIdx", "'ka_local_id(dimension)'")
      .Case("blockIdx", "'ka_group_id(dimension)'")
      .Case("blockDim", "'ka_local_size(dimension)'")
      .Case("gridDim", "'ka_num_groups(dimension)'")
      .Case("warpSize", "'ka_sub_group_size()'")
      .Cases("CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
             "left out: 'ka_barrier()' orders group and global memory")
      .Cases("work_group_barrier", "__syncthreads", "'ka_barrier()'")
      .Cases("__threadfence", "__threadfence_block", "mem_fence",
             "'__atomic_thread_fence(__ATOMIC_SEQ_CST)'")
      .Case("__ldg", "'*p'")
      .Cases("__popc", "popcount", "'__builtin_popcount'")
      .Case("__popcll", "'__builtin_popcountll'")
      .Case("__clz", "'__builtin_clz'")
      .Case("__clzll", "'__builtin_clzll'")
      .Cases("rsqrtf", "native_rsqrt", "__frsqrt_rn", "'1 / sqrtf(x)'")
      .Case("native_recip", "'1 / x'")
      .Cases("native_divide", "__fdividef", "'x / y'")
      .Case("uchar", "'unsigned char'")
      .Case("ushort", "'unsigned short'")
      .Case("uint", "'unsigned int'")
      .Case("ulong", "'unsigned long'")
      .Default("");
}

/// Functions whose names a C program may have too.
StringRef function(StringRef Foreign) {
  return llvm::StringSwitch<StringRef>(Foreign)
      .Case("barrier", "'ka_barrier()'")
      .Case("mad", "'a * b + c'")
      .Case("dot", "a sum of products: there are no functions of vectors")
      .Case("clamp", "'fminf(fmaxf(x, low), high)', or '?:' for integers")
      .Case("min", "'fminf(x, y)', or '?:' for integers")
      .Case("max", "'fmaxf(x, y)', or '?:' for integers")
      .Case("rsqrt", "'1 / sqrtf(x)'")
      .Default("");
}

/// "sinf" for native_sin and __sinf.
std::string fastFunction(StringRef Foreign) {
  bool IsOpenCL = Foreign.consume_front("native_");
  if (!IsOpenCL && !(Foreign.consume_front("__") && Foreign.consume_back("f")))
    return "";
  bool IsKnown =
      llvm::StringSwitch<bool>(Foreign)
          .Cases("sin", "cos", "tan", "exp", "exp2", "exp10", "log", "log2", "log10", "pow", true)
          .Cases("sqrt", "powr", IsOpenCL)
          .Default(false);
  return IsKnown ? ("'" + (Foreign == "powr" ? "pow" : Foreign) + "f'").str() : "";
}

/// OpenCL's atomic_add, CUDA's atomicAdd.
std::string atomicFunction(StringRef Foreign) {
  if (!Foreign.consume_front("atomic_") && !Foreign.consume_front("atom_") &&
      !Foreign.consume_front("atomic"))
    return "";
  std::string Operation = Foreign.lower();
  if (Operation == "xchg" || Operation == "exch")
    return "'__atomic_exchange_n(p, x, __ATOMIC_RELAXED)'";
  if (Operation == "cas" || Operation == "cmpxchg")
    return "'__atomic_compare_exchange_n(p, &expected, x, false, __ATOMIC_RELAXED, "
           "__ATOMIC_RELAXED)'";
  if (Foreign == "inc" || Foreign == "dec") // CUDA's have a limit.
    return "'__atomic_fetch_" + std::string(Foreign == "inc" ? "add" : "sub") +
           "(p, 1, __ATOMIC_RELAXED)'";
  bool IsKnown = llvm::StringSwitch<bool>(Operation)
                     .Cases("add", "sub", "min", "max", "and", "or", "xor", true)
                     .Default(false);
  return IsKnown ? "'__atomic_fetch_" + Operation + "(p, x, __ATOMIC_RELAXED)'" : "";
}

std::string ofSubGroup(StringRef Name) { return ("'ka_sub_group_" + Name + "'").str(); }

/// CUDA's functions of warps; the first argument of most is a mask, which has no counterpart.
std::string warpFunction(StringRef Foreign) {
  if (!Foreign.consume_front("__"))
    return "";
  if (Foreign == "syncwarp")
    return ofSubGroup("barrier()");
  Foreign.consume_back("_sync");
  if (Foreign.consume_front("reduce_"))
    return ofSubGroup(("reduce_" + Foreign).str());
  StringRef Name = llvm::StringSwitch<StringRef>(Foreign)
                       .Case("shfl", "shuffle")
                       .Case("shfl_up", "shuffle_up")
                       .Case("shfl_down", "shuffle_down")
                       .Case("shfl_xor", "shuffle_xor")
                       .Case("any", "any")
                       .Case("all", "all")
                       .Case("ballot", "ballot")
                       .Case("match_any", "match_any")
                       .Case("activemask", "ballot(true)")
                       .Default("");
  return Name.empty() ? "" : ofSubGroup(Name);
}

/// OpenCL's functions of sub-groups and groups.
std::string groupFunction(StringRef Foreign) {
  StringRef OfSubGroup = llvm::StringSwitch<StringRef>(Foreign)
                             .Case("get_sub_group_size", "size")
                             .Case("get_max_sub_group_size", "max_size")
                             .Case("get_num_sub_groups", "count")
                             .Case("get_sub_group_id", "id")
                             .Case("get_sub_group_local_id", "lane")
                             .Default("");
  if (!OfSubGroup.empty())
    return ofSubGroup(OfSubGroup);
  bool IsSubGroup = Foreign.consume_front("sub_");
  if (!IsSubGroup && !Foreign.consume_front("work_"))
    return "";
  StringRef Name = Foreign;
  if (!Name.consume_front("group_"))
    return "";
  if (IsSubGroup && (Name == "barrier" || Name == "ballot" || Name.starts_with("shuffle")))
    return ofSubGroup(Name);
  if (IsSubGroup && Name == "broadcast")
    return ofSubGroup("shuffle");
  if (Name.consume_front("scan_inclusive_"))
    return ("'ka_" + Twine(IsSubGroup ? "sub_" : "") + "group_scan_" + Name + "'").str();
  if (Name == "any" || Name == "all" || Name.starts_with("reduce_") ||
      Name.starts_with("scan_exclusive_"))
    return ("'ka_" + Twine(IsSubGroup ? "sub_" : "") + "group_" + Name + "'").str();
  return "";
}

/// float4 and its kin, CUDA's make_float4.
std::string vectorType(StringRef Foreign) {
  Foreign.consume_front("make_");
  StringRef Element = Foreign.rtrim("0123456789"), Count = Foreign.drop_front(Element.size());
  bool IsCount =
      llvm::StringSwitch<bool>(Count).Cases("2", "3", "4", "8", "16", true).Default(false);
  StringRef Type = llvm::StringSwitch<StringRef>(Element)
                       .Cases("char", "short", "int", "long", "float", "double", Element)
                       .Case("uchar", "unsigned char")
                       .Case("ushort", "unsigned short")
                       .Case("uint", "unsigned int")
                       .Case("ulong", "unsigned long")
                       .Case("half", "_Float16")
                       .Default("");
  if (!IsCount || Type.empty())
    return "";
  return ("'" + Type + " __attribute__((ext_vector_type(" + Count + ")))'").str();
}

std::string inKernels(const Twine &Here) { return ("in kernels of ka it is " + Here).str(); }

/// The functions of C11 that OpenCL C has too.
bool isStandardAtomic(StringRef Foreign) {
  return llvm::StringSwitch<bool>(Foreign)
      .Cases("atomic_fetch_add", "atomic_fetch_sub", "atomic_fetch_and", "atomic_fetch_or",
             "atomic_fetch_xor", true)
      .Cases("atomic_load", "atomic_store", "atomic_exchange", true)
      .Default(false);
}

} // namespace

WordHere wordHere(StringRef Foreign) {
  if (StringRef Here = qualifier(Foreign); !Here.empty())
    return {inKernels(Here), WordUse::Qualifier};
  if (StringRef Here = function(Foreign); !Here.empty())
    return {inKernels(Here), WordUse::Call};
  if (isStandardAtomic(Foreign))
    return {"it is declared in <stdatomic.h>", WordUse::Call};
  if (Foreign == "clEnqueueNDRangeKernel")
    return {"with ka it is 'ka_launch'", WordUse::Call};
  if (Foreign == "clSetKernelArg")
    return {"with ka arguments are those of the call in 'ka_launch'", WordUse::Call};
  if (StringRef Here = name(Foreign); !Here.empty())
    return {inKernels(Here), WordUse::Anywhere};
  for (auto *Here : {fastFunction, atomicFunction, warpFunction, groupFunction})
    if (std::string Text = Here(Foreign); !Text.empty())
      return {inKernels(Text), WordUse::Call};
  if (std::string Text = vectorType(Foreign); !Text.empty())
    return {inKernels(Text), WordUse::Anywhere};
  return {};
}

std::string launchHere() {
  return "with ka a launch is 'ka_launch(be, ka_with_group(ka_range(items), 64), k(arguments))'";
}

} // namespace ka
