/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libclang, opened when `scan` needs it: every other command starts without it. Only functions that LLVM 16 has. */
#ifndef GP_TOOL_SCAN_LIBCLANG_H
#define GP_TOOL_SCAN_LIBCLANG_H

#include <clang-c/Index.h>

#include <stdbool.h>

#define LIBCLANG_FUNCTIONS(X)                                                                                \
  X(Cursor_getArgument)                                                                                      \
  X(Cursor_getNumArguments)                                                                                  \
  X(Location_isInSystemHeader)                                                                               \
  X(createIndex)                                                                                             \
  X(disposeDiagnostic)                                                                                       \
  X(disposeIndex)                                                                                            \
  X(disposeString)                                                                                           \
  X(disposeTranslationUnit)                                                                                  \
  X(getCString)                                                                                              \
  X(getCanonicalType)                                                                                        \
  X(getCursorDefinition)                                                                                     \
  X(getCursorExtent)                                                                                         \
  X(getCursorLinkage)                                                                                        \
  X(getCursorKind)                                                                                           \
  X(getCursorLocation)                                                                                       \
  X(getCursorReferenced)                                                                                     \
  X(getCursorSemanticParent)                                                                                 \
  X(getCursorSpelling)                                                                                       \
  X(getCursorType)                                                                                           \
  X(getDiagnostic)                                                                                           \
  X(getDiagnosticLocation)                                                                                   \
  X(getDiagnosticSeverity)                                                                                   \
  X(getDiagnosticSpelling)                                                                                   \
  X(getExpansionLocation)                                                                                    \
  X(getFileLocation)                                                                                         \
  X(getFileName)                                                                                             \
  X(getNumDiagnostics)                                                                                       \
  X(getRangeEnd)                                                                                             \
  X(getRangeStart)                                                                                           \
  X(getTranslationUnitCursor)                                                                                \
  X(getTypeSpelling)                                                                                         \
  X(isCursorDefinition)                                                                                      \
  X(isInvalid)                                                                                               \
  X(parseTranslationUnit2)                                                                                   \
  X(visitChildren)

/* clang_NAME() is libclang->NAME(). */
struct libclang {
  void *handle;
#define LIBCLANG_MEMBER(name) __typeof__(clang_##name) *name;
  LIBCLANG_FUNCTIONS(LIBCLANG_MEMBER)
#undef LIBCLANG_MEMBER
};

/* Opens the libclang beside `compiler` (or null), or the system's one. Says what to install and returns false where there
 * is none. */
bool libclang_open(struct libclang *libclang, const char *compiler, int major);
/* A copy of a string of libclang's, which is disposed of. */
char *libclang_text(const struct libclang *libclang, CXString string);

#endif
