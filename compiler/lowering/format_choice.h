//===- format_choice.h - Formats that are chosen at run time --------------===//
#ifndef KA_COMPILER_LOWERING_FORMAT_CHOICE_H
#define KA_COMPILER_LOWERING_FORMAT_CHOICE_H

#include "llvm/IR/Module.h"

namespace ka {

/// printf(n == 1 ? "one" : "many") becomes a call for each of the formats. A record holds
/// its format, so each call must have one constant. What is chosen otherwise than among
/// constants stays, and is refused when records are made (print_records.h).
void splitFormatChoices(llvm::Module &M);

} // namespace ka

#endif
