//===- mailbox.h - How kernels tell the host something --------------------===//
//
// A pass that wants something told turns it into a call of a function whose name
// begins with "ka.mailbox.", which needs no pointer and counts as an effect
// (predication switches it off for padding items). addMailbox() then gives the
// entry points of each kernel with such calls the mailbox as a parameter. When the
// shape of the code is final, in the target, each kind of call is expanded into
// stores to mailboxOf(F), whose layout is ka_mailbox in ka/abi.h; the host reads it
// in runtime/core/mailbox.c when the launch has completed.
//
// Texts need not be on the device: what a call means is a site in Kernel::Sites,
// and the call has its number.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_MAILBOX_H
#define KA_COMPILER_LOWERING_MAILBOX_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// "ka.mailbox.…": a call that needs the mailbox.
bool isMailboxFunction(llvm::StringRef Name);
bool isMailboxCall(const llvm::Instruction &I);

/// Adds the parameters to kernels with such calls, behind their own, and sets the
/// flag MAILBOX. Before the range guard, which makes the other entry points.
void addMailbox(DeviceModule &Device);

/// The parameters of an entry point: the mailbox, and the number of the launch;
/// null if it has none.
llvm::Argument *mailboxOf(llvm::Function &F);
llvm::Argument *launchOf(llvm::Function &F);

} // namespace ka

#endif
