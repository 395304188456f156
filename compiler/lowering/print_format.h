//===- print_format.h - The formats of printf -----------------------------===//
//
// C's conversions, and OpenCL C's for vectors: %v4f prints the elements of a vector
// of four numbers with commas between them. libka (runtime/core/print.c) reads the
// same formats once more when it prints.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_PRINT_FORMAT_H
#define KA_COMPILER_LOWERING_PRINT_FORMAT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace ka {

struct PrintConversion {
  enum ClassKind { Integer, Floating, String, Pointer };

  size_t Begin = 0, End = 0; // in the format, from the '%' to behind the letter
  bool TakesWidth = false, TakesPrecision = false; // written as '*', from arguments
  bool HasPrecision = false;
  unsigned Precision = 0; // if it is there and not an argument
  unsigned Elements = 0;  // of a vector; 0: a single value
  llvm::StringRef Length; // "hh", "h", "hl", "l", "ll", "j", "z", "t" or ""
  char Letter = 0;

  ClassKind kind() const;
  bool isSigned() const { return Letter == 'd' || Letter == 'i'; }
  /// Bytes of an element, if the length says so; 0: as the argument is.
  unsigned elementBytes() const;
  /// How many elements the type has: one of three takes the room of four.
  unsigned room() const { return Elements == 3 ? 4 : Elements; }
};

struct PrintFormat {
  llvm::SmallVector<PrintConversion, 8> Conversions; // without "%%"
  std::string Error;                                 // what is wrong, or ""
  size_t Place = 0;                                  // of what is wrong
};

/// Stops at the first thing that is wrong.
PrintFormat parsePrintFormat(llvm::StringRef Format);

} // namespace ka

#endif
