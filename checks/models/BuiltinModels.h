//===--- BuiltinModels.h - The models compiled in ---------------*- C++ -*-===//
//
// The texts of checks/models/*.json (without schema.json), put into the binary
// by the build. They live as long as the program; Model.h reads them.
//
//===----------------------------------------------------------------------===//

#ifndef ASYNC_TIDY_MODELS_BUILTINMODELS_H
#define ASYNC_TIDY_MODELS_BUILTINMODELS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace async_tidy {

struct BuiltinModel {
  llvm::StringRef Name; ///< the file's name without ".json"
  llvm::StringRef Json; ///< its text
};

/// All built-in models, in the order of their names.
llvm::ArrayRef<BuiltinModel> builtinModels();

} // namespace async_tidy

#endif // ASYNC_TIDY_MODELS_BUILTINMODELS_H
