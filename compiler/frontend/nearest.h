//===- nearest.h - The name that a misspelt one means ---------------------===//
#ifndef KA_COMPILER_FRONTEND_NEAREST_H
#define KA_COMPILER_FRONTEND_NEAREST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ka {

/// The first of the names with the fewest changes; "" if none has fewer than `Limit`.
inline llvm::StringRef nearest(llvm::StringRef Wrong, llvm::ArrayRef<llvm::StringLiteral> Names,
                               unsigned Limit) {
  llvm::StringRef Best;
  for (llvm::StringRef Name : Names)
    if (unsigned Changes = Wrong.edit_distance(Name, true, Limit); Changes < Limit)
      Limit = Changes, Best = Name;
  return Best;
}

} // namespace ka

#endif
