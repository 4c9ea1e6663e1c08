// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/walk.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct walk {
  const struct libclang *libclang;
  const struct walk_roots *roots;
  struct found *found;
  struct walk_bodies *bodies;
  CXFile last_file; /* of the file looked for last, and its file */
  struct found_file *last_found;
  bool last_is_ours;
  CXFile made_in; /* where the declaration before began */
  unsigned made_at;
};

/* Where something stands in the text that a person sees. */
struct spot {
  CXFile file;
  unsigned line, column, at; /* what a macro makes stands where the macro does */
  bool in_macro;             /* in an argument of a macro */
};

/* What stands around a cursor. */
struct scope {
  struct walk *walk;
  struct scope *outer;
  struct found_function *function; /* the one whose body this is, or null */
  struct found_file *file;
  enum found_state state; /* of the pragmas and objects around */
  int *calls;             /* regions that calls have begun in this function */
  bool is_block;
};

static struct spot spot_of(const struct libclang *libclang, CXSourceLocation location) {
  struct spot spot;
  CXFile written;
  unsigned at;
  libclang->getExpansionLocation(location, &spot.file, &spot.line, &spot.column, &spot.at);
  libclang->getFileLocation(location, &written, NULL, NULL, &at);
  spot.in_macro = written != spot.file || at != spot.at;
  return spot;
}

static struct spot start_of(const struct libclang *libclang, CXCursor cursor) {
  return spot_of(libclang, libclang->getRangeStart(libclang->getCursorExtent(cursor)));
}

/* ---- Files ---- */
static bool is_ours(const struct walk_roots *roots, const char *path) {
  for (size_t i = 0; i < roots->count; ++i) {
    size_t length = strlen(roots->folders[i]);
    if (!strncmp(path, roots->folders[i], length) && path[length] == '/')
      return true;
  }
  return false;
}

/* The file, and whether it is the project's; null where it has no real path. */
static struct found_file *file_of(struct walk *walk, CXFile handle, bool *ours) {
  const struct libclang *libclang = walk->libclang;
  if (handle != walk->last_file) {
    char real[PATH_MAX], *name = libclang_text(libclang, libclang->getFileName(handle));
    bool exists = handle && realpath(name, real);
    walk->last_file = handle;
    walk->last_found = exists ? found_file(walk->found, real) : NULL;
    walk->last_is_ours = exists && is_ours(walk->roots, real);
    free(name);
  }
  *ours = walk->last_is_ours;
  return walk->last_found;
}

/* ---- Functions ---- */
/* What the children of a function's cursor say. */
struct parts {
  const struct libclang *libclang;
  bool is_kernel, is_device;
  CXCursor body; /* the last statement */
  bool has_body;
  struct text parameters;
};

static enum CXChildVisitResult visit_part(CXCursor cursor, CXCursor parent, CXClientData data) {
  struct parts *parts = data;
  enum CXCursorKind kind = parts->libclang->getCursorKind(cursor);
  (void)parent;
  parts->is_kernel |= kind == CXCursor_CUDAGlobalAttr;
  parts->is_device |= kind == CXCursor_CUDADeviceAttr;
  if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt) {
    parts->body = cursor;
    parts->has_body = true;
  } else if (kind == CXCursor_ParmDecl) {
    char *name = libclang_text(parts->libclang, parts->libclang->getCursorSpelling(cursor));
    text_format(&parts->parameters, "%s ", name);
    free(name);
  }
  return CXChildVisit_Continue;
}

static bool is_function(enum CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_FunctionTemplate ||
         kind == CXCursor_Constructor || kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
}

static bool is_scope(enum CXCursorKind kind) {
  return kind == CXCursor_Namespace || kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl ||
         kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization || kind == CXCursor_UnionDecl;
}

/* "net::Layer::forward" */
static char *qualified_name(const struct libclang *libclang, CXCursor cursor, const char *name) {
  CXCursor around = libclang->getCursorSemanticParent(cursor);
  enum CXCursorKind kind = libclang->getCursorKind(around);
  if (is_function(kind)) /* of a local class */
    around = libclang->getCursorSemanticParent(around);
  if (!is_scope(libclang->getCursorKind(around)))
    return copy_string(name);
  char *own = libclang_text(libclang, libclang->getCursorSpelling(around));
  bool has_name = *own && !strchr(own, '(') && !strchr(own, ' ');
  char *longer = has_name ? format_string("%s::%s", own, name) : copy_string(name);
  char *qualified = qualified_name(libclang, around, longer);
  free(own);
  free(longer);
  return qualified;
}

/* "forward" of "forward<T>": constructors of templates are spelled so. */
static char *plain_name(const struct libclang *libclang, CXCursor cursor) {
  char *name = libclang_text(libclang, libclang->getCursorSpelling(cursor));
  enum CXCursorKind kind = libclang->getCursorKind(cursor);
  if (kind == CXCursor_Constructor || kind == CXCursor_Destructor)
    name[strcspn(name, "<")] = 0;
  return name;
}

/* The word of the file that a declaration begins with: the macro's name, where one makes it. */
static char *word_at(const struct found_file *file, uint32_t at) {
  const struct source *source = &file->source;
  size_t index = source_token_at(source, at);
  if (index == source->token_count)
    return copy_string("");
  return format_string("%.*s", (int)source->tokens[index].length, source->text.data + at);
}

/* Why no line can be inserted before the function, or null. */
static char *why_not_here(struct walk *walk, const struct found_file *file, const struct found_function *function,
                          CXCursor body, struct spot start) {
  const struct source *source = &file->source;
  struct spot open = start_of(walk->libclang, body);
  size_t brace = source_token_at(source, open.at);
  bool made = open.in_macro || (!source_token_is(source, brace, "{") && !source_token_is(source, brace, "try")) ||
              (walk->made_in == start.file && walk->made_at == start.at);
  if (file->unreadable)
    return copy_string(file->unreadable);
  if (!made) {
    const char *why = source_place_above(source, function->start).why_not;
    return why ? copy_string(why) : NULL;
  }
  char *macro = word_at(file, start.at), *why = format_string("the macro %s makes it", macro);
  free(macro);
  return why;
}

static bool macro_has_region(const struct found *found, const char *macro) {
  for (size_t i = 0; i < found->file_count; ++i)
    if (source_is_region_macro(&found->files[i]->source, macro, strlen(macro)))
      return true;
  return false;
}

static void find_region(struct walk *walk, const struct found_file *file, struct found_function *function) {
  const struct source_pragma *pragma = source_pragma_of(&file->source, function->start, function->name_at);
  if (pragma) {
    function->state = pragma->ignore ? FOUND_IGNORED : FOUND_PRAGMA;
    function->region = pragma->name ? copy_string(pragma->name) : NULL;
    function->phase = pragma->phase ? copy_string(pragma->phase) : NULL;
    return;
  }
  char *word = word_at(file, function->start);
  if (macro_has_region(walk->found, word))
    function->state = FOUND_PRAGMA;
  free(word);
}

static struct found_function describe(struct walk *walk, CXCursor cursor, const struct parts *parts, struct found_file *file,
                                      bool ours) {
  const struct libclang *libclang = walk->libclang;
  struct spot start = start_of(libclang, cursor), name = spot_of(libclang, libclang->getCursorLocation(cursor));
  struct found_function function = {.name = plain_name(libclang, cursor), .is_kernel = parts->is_kernel};
  function.qualified = qualified_name(libclang, cursor, function.name);
  function.parameters = copy_string(text_get(&parts->parameters));
  function.line = name.line;
  function.start = source_declaration_start(&file->source, start.at);
  function.start_line = source_line_of(&file->source, function.start);
  function.name_at = name.at;
  function.is_foreign = !ours;
  function.is_local = libclang->getCursorLinkage(cursor) != CXLinkage_External;
  find_region(walk, file, &function);
  if (ours)
    function.why_not = why_not_here(walk, file, &function, parts->body, start);
  return function;
}

/* ---- Launches ---- */
static const struct launch_function {
  const char *name;
  int kernel; /* its argument; -1: none */
} launch_functions[] = {
    {"cudaLaunchKernel", 0},
    {"cudaLaunchKernelEx", 1},
    {"cudaLaunchKernelExC", 1},
    {"cudaLaunchCooperativeKernel", 0},
    {"cudaLaunchCooperativeKernelMultiDevice", -1},
    {"cuLaunchKernel", 0},
    {"cuLaunchKernelEx", 1},
    {"cuLaunchCooperativeKernel", 0},
};
static const char *const configurations[] = {"__cudaPushCallConfiguration", "cudaConfigureCall"};

static const struct launch_function *launch_function(const char *name) {
  for (size_t i = 0; i < sizeof launch_functions / sizeof *launch_functions; ++i)
    if (!strcmp(name, launch_functions[i].name))
      return &launch_functions[i];
  return NULL;
}

static bool configures(const char *name) {
  return !strcmp(name, configurations[0]) || !strcmp(name, configurations[1]);
}

/* The first name in an expression, and the function that it is of. */
struct named {
  const struct libclang *libclang;
  char *name; /* or null */
  CXCursor referenced;
};

static enum CXChildVisitResult visit_name(CXCursor cursor, CXCursor parent, CXClientData data) {
  struct named *named = data;
  const struct libclang *libclang = named->libclang;
  enum CXCursorKind kind = libclang->getCursorKind(cursor);
  (void)parent;
  if (kind != CXCursor_DeclRefExpr && kind != CXCursor_MemberRefExpr && kind != CXCursor_OverloadedDeclRef)
    return kind == CXCursor_LambdaExpr ? CXChildVisit_Continue : CXChildVisit_Recurse;
  char *name = libclang_text(libclang, libclang->getCursorSpelling(cursor));
  if (!*name) { /* in a template: what it may mean follows */
    free(name);
    return CXChildVisit_Recurse;
  }
  named->name = name;
  named->referenced = libclang->getCursorReferenced(cursor);
  return CXChildVisit_Break;
}

static struct named name_in(const struct libclang *libclang, CXCursor expression) {
  struct named named = {.libclang = libclang};
  if (visit_name(expression, expression, &named) == CXChildVisit_Recurse)
    libclang->visitChildren(expression, visit_name, &named);
  return named;
}

/* The first children of a call: what is called, and the configuration of a launch. */
struct call {
  const struct libclang *libclang;
  CXCursor children[3];
  unsigned count;
};

static enum CXChildVisitResult visit_call_part(CXCursor cursor, CXCursor parent, CXClientData data) {
  struct call *call = data;
  (void)parent;
  call->children[call->count++] = cursor;
  return call->count < 3 ? CXChildVisit_Continue : CXChildVisit_Break;
}

static bool is_configuration(const struct libclang *libclang, CXCursor cursor) {
  if (libclang->getCursorKind(cursor) != CXCursor_CallExpr)
    return false;
  struct named named = name_in(libclang, cursor);
  bool is = named.name && configures(named.name);
  free(named.name);
  return is;
}

/* A kernel of a header that is not the project's is listed where the project launches it. */
static void notice_foreign(struct walk *walk, CXCursor kernel) {
  const struct libclang *libclang = walk->libclang;
  CXCursor definition = libclang->getCursorDefinition(kernel);
  if (libclang->isInvalid(libclang->getCursorKind(definition)))
    return;
  struct parts parts = {.libclang = libclang};
  libclang->visitChildren(definition, visit_part, &parts);
  struct spot start = start_of(libclang, definition);
  bool ours, system = libclang->Location_isInSystemHeader(libclang->getCursorLocation(definition));
  struct found_file *file = parts.is_kernel ? file_of(walk, start.file, &ours) : NULL;
  if (file && (system || !ours)) {
    struct found_function function = describe(walk, definition, &parts, file, false);
    function.why_not = copy_string(system ? "it is in a system header" : "it is outside of the project");
    if (!found_function_at(file, function.start))
      found_add_function(file, &function);
    else
      found_free_function(&function);
  }
  text_free(&parts.parameters);
}

/* The kernel that a launch names. */
static char *kernel_of(struct walk *walk, const struct named *named) {
  if (named->name && !walk->libclang->isInvalid(walk->libclang->getCursorKind(named->referenced)))
    notice_foreign(walk, named->referenced);
  return named->name;
}

static enum found_state state_here(const struct scope *scope) {
  return scope->state == FOUND_NONE && scope->calls && *scope->calls > 0 ? FOUND_CALL : scope->state;
}

static void add_launch(struct scope *scope, CXCursor cursor, const char *how, char *kernel) {
  struct spot spot = start_of(scope->walk->libclang, cursor);
  const struct found_launch launch = {spot.line, spot.column, how, kernel, state_here(scope)};
  found_add_launch(scope->function, &launch);
}

static void visit_launch_call(struct scope *scope, CXCursor cursor, const struct launch_function *how) {
  const struct libclang *libclang = scope->walk->libclang;
  struct named named = {0};
  if (how->kernel >= 0 && how->kernel < libclang->Cursor_getNumArguments(cursor))
    named = name_in(libclang, libclang->Cursor_getArgument(cursor, (unsigned)how->kernel));
  add_launch(scope, cursor, how->name, named.name ? kernel_of(scope->walk, &named) : NULL);
}

static void visit_call(struct scope *scope, CXCursor cursor) {
  const struct libclang *libclang = scope->walk->libclang;
  struct call call = {.libclang = libclang};
  libclang->visitChildren(cursor, visit_call_part, &call);
  if (!call.count)
    return;
  struct named callee = name_in(libclang, call.children[0]);
  const struct launch_function *how = callee.name ? launch_function(callee.name) : NULL;
  if (call.count > 1 && is_configuration(libclang, call.children[1])) {
    add_launch(scope, cursor, "<<<>>>", kernel_of(scope->walk, &callee));
    return;
  }
  if (how)
    visit_launch_call(scope, cursor, how);
  else if (callee.name && !strncmp(callee.name, "gpuprof_region_begin", strlen("gpuprof_region_begin")))
    ++*scope->calls;
  else if (callee.name && !strcmp(callee.name, "gpuprof_region_end"))
    *scope->calls -= *scope->calls > 0;
  free(callee.name);
}

/* ---- Statements ---- */
static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data);

/* gpuprof::Region holds to the end of its block. */
static void visit_variable(struct scope *scope, CXCursor cursor) {
  const struct libclang *libclang = scope->walk->libclang;
  char *type = libclang_text(libclang, libclang->getTypeSpelling(libclang->getCanonicalType(libclang->getCursorType(cursor))));
  struct scope *block = scope;
  while (block->outer && !block->is_block)
    block = block->outer;
  if (strstr(type, "gpuprof::Region") && block->state == FOUND_NONE)
    for (struct scope *inner = scope; inner; inner = inner == block ? NULL : inner->outer)
      inner->state = FOUND_CALL;
  free(type);
}

static void visit_statement(struct scope *outer, CXCursor cursor, enum CXCursorKind kind) {
  const struct libclang *libclang = outer->walk->libclang;
  struct scope inner = *outer;
  inner.outer = outer;
  inner.is_block = kind == CXCursor_CompoundStmt;
  if (outer->function && outer->state == FOUND_NONE && outer->file->source.pragma_count) {
    struct spot start = start_of(libclang, cursor);
    const struct source_pragma *pragma = source_pragma_before(&outer->file->source, start.at);
    if (pragma)
      inner.state = pragma->ignore ? FOUND_IGNORED : FOUND_PRAGMA;
  }
  if (kind == CXCursor_VarDecl)
    visit_variable(outer, cursor);
  if (kind == CXCursor_CallExpr)
    visit_call(&inner, cursor);
  libclang->visitChildren(cursor, visit, &inner);
}

/* ---- Declarations ---- */
static void visit_body(struct walk *walk, CXCursor cursor, struct found_file *file, struct found_function *function) {
  int calls = 0;
  struct scope scope = {.walk = walk, .function = function, .file = file, .state = function->state, .calls = &calls};
  walk->libclang->visitChildren(cursor, visit, &scope);
}

static void add_body(struct walk *walk, CXCursor cursor) {
  const struct libclang *libclang = walk->libclang;
  struct walk_bodies *bodies = walk->bodies;
  struct spot from = start_of(libclang, cursor);
  struct spot to = spot_of(libclang, libclang->getRangeEnd(libclang->getCursorExtent(cursor)));
  if (bodies->count == bodies->capacity) {
    bodies->capacity = bodies->capacity ? 2 * bodies->capacity : 64;
    bodies->items = reallocate(bodies->items, bodies->capacity * sizeof *bodies->items);
  }
  bodies->items[bodies->count++] = (struct walk_body){from.file, from.at, to.at};
}

static void visit_function(struct scope *scope, CXCursor cursor) {
  struct walk *walk = scope->walk;
  const struct libclang *libclang = walk->libclang;
  struct parts parts = {.libclang = libclang};
  bool ours;
  libclang->visitChildren(cursor, visit_part, &parts);
  struct found_file *file = parts.has_body ? file_of(walk, start_of(libclang, cursor).file, &ours) : NULL;
  if (parts.has_body && (parts.is_kernel || parts.is_device))
    add_body(walk, cursor);
  if (file && ours) {
    struct found_function function = describe(walk, cursor, &parts, file, true);
    visit_body(walk, cursor, file, &function);
    if ((function.is_kernel || function.launch_count) && !found_function_at(file, function.start))
      found_add_function(file, &function);
    else
      found_free_function(&function);
  }
  text_free(&parts.parameters);
}

/* Declarations that one macro makes begin at one place: a line before it would be the first one's. */
static void note_made(struct walk *walk, CXCursor cursor) {
  struct spot start = start_of(walk->libclang, cursor);
  walk->made_in = start.file;
  walk->made_at = start.at;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
  struct scope *scope = data;
  const struct libclang *libclang = scope->walk->libclang;
  enum CXCursorKind kind = libclang->getCursorKind(cursor);
  (void)parent;
  if (!scope->function && libclang->Location_isInSystemHeader(libclang->getCursorLocation(cursor)))
    return CXChildVisit_Continue;
  if (is_function(kind)) {
    if (libclang->isCursorDefinition(cursor))
      visit_function(scope, cursor);
  } else if (scope->function) {
    visit_statement(scope, cursor, kind);
    return CXChildVisit_Continue;
  } else if (is_scope(kind) || kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl || kind == CXCursor_FriendDecl) {
    libclang->visitChildren(cursor, visit, scope);
  }
  note_made(scope->walk, cursor);
  return CXChildVisit_Continue;
}

void walk_unit(const struct libclang *libclang, CXTranslationUnit unit, const struct walk_roots *roots, struct found *found,
               struct walk_bodies *bodies) {
  struct walk walk = {.libclang = libclang, .roots = roots, .found = found, .bodies = bodies};
  struct scope scope = {.walk = &walk};
  libclang->visitChildren(libclang->getTranslationUnitCursor(unit), visit, &scope);
}
