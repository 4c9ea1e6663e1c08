// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin's action: it runs in every compile, host and device, before clang's own.
#ifndef GPUPROF_FRONTEND_ACTION_H
#define GPUPROF_FRONTEND_ACTION_H

#include "common/Options.h"

#include "clang/Frontend/FrontendAction.h"

namespace gpuprof {

class Action : public clang::PluginASTAction {
public:
  bool ParseArgs(const clang::CompilerInstance &CI, const std::vector<std::string> &Words) override;
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &CI,
                                                        llvm::StringRef File) override;
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  Options Given;
};

} // namespace gpuprof

#endif
