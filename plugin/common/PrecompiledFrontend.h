// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers nearly every file of plugin/frontend needs; precompiled to halve the build.
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/Passes/PassBuilder.h"
