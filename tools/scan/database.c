// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/database.h"

#include "cc/words.h"
#include "common/file.h"
#include "common/say.h"
#include "reader/json.h"
#include "scan/flags.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define DATABASE_NAME "compile_commands.json"
#define LARGEST_DATABASE ((size_t)1 << 30)

/* ---- Units and roots ---- */
static bool is_known(const struct scan_units *units, const char *path) {
  for (size_t i = 0; i < units->count; ++i)
    if (!strcmp(units->items[i].path, path))
      return true;
  return false;
}

void units_add_root(struct scan_units *units, const char *folder) {
  char real[PATH_MAX];
  if (!realpath(folder, real) || !strcmp(real, "/"))
    return;
  for (size_t i = 0; i < units->roots.count; ++i)
    if (!strcmp(units->roots.folders[i], real))
      return;
  units->roots.folders = reallocate(units->roots.folders, (units->roots.count + 1) * sizeof *units->roots.folders);
  units->roots.folders[units->roots.count++] = copy_string(real);
}

/* A file that is not there is added too: parsing it says so. */
static struct scan_unit *add_unit(struct scan_units *units, const char *path) {
  char real[PATH_MAX];
  const char *name = realpath(path, real) ? real : path;
  if (is_known(units, name))
    return NULL;
  char *folder = file_real_folder(name);
  if (folder)
    units_add_root(units, folder);
  free(folder);
  if (units->count == units->capacity) {
    units->capacity = units->capacity ? 2 * units->capacity : 16;
    units->items = reallocate(units->items, units->capacity * sizeof *units->items);
  }
  struct scan_unit *unit = &units->items[units->count++];
  *unit = (struct scan_unit){.path = copy_string(name), .is_cuda = ends_with(name, ".cu") || ends_with(name, ".cuh")};
  return unit;
}

void units_free(struct scan_units *units) {
  for (size_t i = 0; i < units->count; ++i) {
    free(units->items[i].path);
    line_free(&units->items[i].flags);
  }
  for (size_t i = 0; i < units->roots.count; ++i)
    free(units->roots.folders[i]);
  free(units->roots.folders);
  free(units->items);
}

/* ---- Files and folders ---- */
/* A header with any ending that has kernels. */
static bool is_cuda_header(const char *path) {
  struct text text = {0};
  bool is_header = ends_with(path, ".h") || ends_with(path, ".hpp") || ends_with(path, ".inl");
  bool is = is_header && !file_read_source(path, &text) && strstr(text_get(&text), "__global__");
  text_free(&text);
  return is;
}

static int add_named(struct scan_units *units, const char *path, const struct line *flags, bool is_header) {
  struct scan_unit *unit = add_unit(units, path);
  if (!unit)
    return EXIT_GOOD;
  bool is_cuda = false;
  flags_take(&unit->flags, flags, NULL, &is_cuda);
  unit->is_cuda |= is_cuda || is_cuda_header(path);
  unit->is_header = is_header;
  return EXIT_GOOD;
}

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static int add_folder(struct scan_units *units, const char *path, const struct line *flags) {
  char *const paths[] = {(char *)(uintptr_t)path, NULL};
  FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
  if (!tree)
    return fail("cannot read the folder '%s': %s; name the files.", path, strerror(errno));
  units_add_root(units, path);
  for (FTSENT *entry; (entry = fts_read(tree));) {
    if (entry->fts_info == FTS_D && entry->fts_level && entry->fts_name[0] == '.')
      fts_set(tree, entry, FTS_SKIP);
    else if (entry->fts_info == FTS_F && (ends_with(entry->fts_name, ".cu") || ends_with(entry->fts_name, ".cuh")))
      add_named(units, entry->fts_path, flags, ends_with(entry->fts_name, ".cuh"));
    else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS)
      note("'%s' is left out: %s; make it readable to scan it.", entry->fts_path, strerror(entry->fts_errno));
  }
  fts_close(tree);
  return EXIT_GOOD;
}

int units_from_path(struct scan_units *units, const char *path, const struct line *flags) {
  if (folder_exists(path))
    return add_folder(units, path, flags);
  if (!file_exists(path))
    return fail("cannot open '%s': %s; name a source, a folder, or the folder of a " DATABASE_NAME " with -p.", path,
                strerror(errno));
  return add_named(units, path, flags, false);
}

/* ---- compile_commands.json ---- */
static const char *string_of(const struct json *value) { return value && value->kind == JSON_STRING ? value->string : NULL; }

/* A host file is worth parsing where it launches by a call. */
static bool mentions_launch(const char *path) {
  struct text text = {0};
  bool mentions = !file_read_source(path, &text) &&
                  (strstr(text_get(&text), "LaunchKernel") || strstr(text_get(&text), "LaunchCooperativeKernel"));
  text_free(&text);
  return mentions;
}

static void add_command(struct scan_units *units, const struct json_tree *tree, const struct json *entry) {
  const char *folder = string_of(json_find(tree, entry, "directory")), *file = string_of(json_find(tree, entry, "file"));
  const char *command = string_of(json_find(tree, entry, "command"));
  if (!file)
    return;
  struct line given = {0}, flags = {0};
  bool is_cuda = false;
  JSON_EACH(argument, json_find(tree, entry, "arguments"))
  if (string_of(argument))
    line_add(&given, argument->string);
  if (!given.count && command)
    words_split(&given, command);
  flags_take(&flags, &given, folder, &is_cuda);
  char *path = *file == '/' || !folder ? copy_string(file) : format_string("%s/%s", folder, file);
  is_cuda |= ends_with(path, ".cu") || ends_with(path, ".cuh");
  struct scan_unit *unit = is_cuda || mentions_launch(path) ? add_unit(units, path) : NULL;
  if (unit) {
    unit->flags = flags;
    unit->is_cuda = is_cuda;
  } else {
    line_free(&flags);
  }
  line_free(&given);
  free(path);
}

static int read_database(struct scan_units *units, const char *path) {
  struct text text = {0};
  struct json_tree tree = {0};
  struct json_remark wrong = {0};
  const char *why = file_read_regular(path, LARGEST_DATABASE, &text);
  int code = EXIT_GOOD;
  if (why)
    code = fail("cannot read '%s': %s; let CMake write it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or name the files.", path,
                why);
  else if (!json_read(&tree, text_get(&text), text.length, &wrong))
    code = fail("'%s' is no JSON: %s; write it again.", path, wrong.what);
  else if (tree.root.kind != JSON_ARRAY)
    code = fail("'%s' is no list of commands; write it again.", path);
  if (!code) {
    JSON_EACH(entry, &tree.root)
    add_command(units, &tree, entry);
    json_free(&tree);
  }
  text_free(&text);
  return code;
}

int units_from_database(struct scan_units *units, const char *path) {
  char *file = folder_exists(path) ? format_string("%s/" DATABASE_NAME, path) : copy_string(path);
  char *folder = file_real_folder(file);
  int code = read_database(units, file);
  if (folder)
    units_add_root(units, folder);
  free(folder);
  free(file);
  return code;
}

/* ---- Some of them ---- */
int units_keep(struct scan_units *units, const char *path) {
  char real[PATH_MAX];
  const char *name = realpath(path, real) ? real : path;
  size_t length = strlen(name), found = 0;
  for (size_t i = 0; i < units->count; ++i) {
    struct scan_unit *unit = &units->items[i];
    bool is_it = !strncmp(unit->path, name, length) && (!unit->path[length] || unit->path[length] == '/');
    unit->is_chosen |= is_it;
    found += is_it;
  }
  return found ? EXIT_GOOD
               : fail("'%s' is no CUDA source of " DATABASE_NAME "; leave out -p, or name a file or folder of it.", path);
}

void units_keep_chosen(struct scan_units *units) {
  size_t kept = 0;
  for (size_t i = 0; i < units->count; ++i) {
    struct scan_unit *unit = &units->items[i];
    if (unit->is_chosen) {
      units->items[kept++] = *unit;
    } else {
      free(unit->path);
      line_free(&unit->flags);
    }
  }
  units->count = kept;
}
