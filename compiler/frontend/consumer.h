//===- consumer.h - The frontend as an AST consumer -----------------------===//
#ifndef KA_COMPILER_FRONTEND_CONSUMER_H
#define KA_COMPILER_FRONTEND_CONSUMER_H

#include "compiler/frontend/options.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include <memory>

namespace ka {

/// Makes the consumer that has to run before the main one of the instance. It
/// checks kernels, rewrites launches and, at the end of the translation unit,
/// makes device code, which it hands to the main consumer within descriptors or
/// writes to Options.Output.
std::unique_ptr<clang::ASTConsumer> makeConsumer(clang::CompilerInstance &CI,
                                                 FrontendOptions Options);

} // namespace ka

#endif
