// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/names.h"

#include "common/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parts of a name ---- */
/* Layers by the first word of a name; the rest names a part of the layer: attention_softmax. */
static const char *const layers[] = {"attention", "attn",      "mlp",     "ffn",       "conv",    "encoder", "decoder",
                                     "embedding", "layernorm", "rmsnorm", "batchnorm", "softmax", "matmul",  "loss",
                                     "optimizer", "neuron",    "synapse", "lif"};
/* What says no more than that a function is a kernel. */
static const char *const endings[] = {"_kernel", "_Kernel", "Kernel", "_gpu_kernel"};
static const char *const beginnings[] = {"kernel_", "Kernel_"};
#define COUNT(list) (sizeof list / sizeof *list)
#define SHORTEST 3 /* letters that are left of a name */

/* The end of the scope or name that begins at `part`: at the next ::, or at the name's end. */
static const char *part_end(const char *part) {
  size_t depth = 0;
  for (; *part; ++part) {
    depth += *part == '(' || *part == '<';
    depth -= depth && (*part == ')' || *part == '>');
    if (!depth && part[0] == ':' && part[1] == ':')
      break;
  }
  return part;
}

/* A name travels in paths and in a string literal. */
static void add_clean(struct text *out, const char *part, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    char c = part[i];
    bool good = isalnum((unsigned char)c) || strchr("_~.+-*%^&|=<>!,()[] ", c) || (c & 0x80);
    text_bytes(out, good && c ? &part[i] : "_", 1);
  }
}

/* Scopes joined by dots, without anonymous ones; `last` is the function's own name. */
static void add_scopes(struct text *out, const char *qualified, const char **last) {
  const char *part = qualified, *end = part_end(part);
  for (; *end; part = end + 2, end = part_end(part)) {
    if (end == part || *part == '(')
      continue;
    add_clean(out, part, (size_t)(end - part));
    text_add(out, ".");
  }
  *last = part;
}

char *name_in_full(const char *qualified) {
  struct text out = {0};
  const char *last;
  add_scopes(&out, qualified, &last);
  add_clean(&out, last, strlen(last));
  char *name = copy_string(text_get(&out));
  text_free(&out);
  return name;
}

static bool ends_with(const char *string, size_t length, const char *ending) {
  size_t tail = strlen(ending);
  return length > tail && !memcmp(string + length - tail, ending, tail);
}

/* The length without a kernel's ending. */
static size_t shortened(const char *name, size_t length) {
  for (size_t i = 0; i < COUNT(endings); ++i)
    if (ends_with(name, length, endings[i]) && length >= strlen(endings[i]) + SHORTEST)
      return length - strlen(endings[i]);
  return length;
}

static const char *behind_beginning(const char *name) {
  for (size_t i = 0; i < COUNT(beginnings); ++i) {
    size_t length = strlen(beginnings[i]);
    if (!strncmp(name, beginnings[i], length) && isalpha((unsigned char)name[length]))
      return name + length;
  }
  return name;
}

/* The length of the layer that a name begins with, or 0. */
static size_t layer_length(const char *name, size_t length) {
  for (size_t i = 0; i < COUNT(layers); ++i) {
    size_t layer = strlen(layers[i]);
    if (length > layer + 1 && !strncmp(name, layers[i], layer) && name[layer] == '_')
      return layer;
  }
  return 0;
}

char *name_of_region(const char *qualified) {
  struct text out = {0};
  const char *last;
  add_scopes(&out, qualified, &last);
  if (!strncmp(last, "operator", 8) && !isalnum((unsigned char)last[8]) && last[8] != '_' && out.length) {
    out.data[--out.length] = 0; /* the class says more than operator() */
  } else {
    last = behind_beginning(last);
    size_t length = shortened(last, strlen(last)), layer = layer_length(last, length);
    add_clean(&out, last, layer);
    text_add(&out, layer ? "." : "");
    add_clean(&out, last + layer + (layer > 0), length - layer - (layer > 0));
  }
  char *name = copy_string(text_get(&out));
  text_free(&out);
  return name;
}

/* ---- Phases ---- */
/* Words of a name that say a phase by themselves. */
static const struct {
  const char *word, *phase;
} words[] = {
    {"backward", "backward"},
    {"bwd", "backward"},
    {"backprop", "backward"},
    {"grad", "backward"},
    {"dgrad", "backward"},
    {"wgrad", "backward"},
    {"forward", "forward"},
    {"fwd", "forward"},
    {"optimizer", "optimizer"},
    {"optim", "optimizer"},
    {"adam", "optimizer"},
    {"adamw", "optimizer"},
    {"sgd", "optimizer"},
    {"adagrad", "optimizer"},
    {"rmsprop", "optimizer"},
    {"lamb", "optimizer"},
    {"warmup", "warmup"},
    {"allreduce", "communication"},
    {"allgather", "communication"},
    {"alltoall", "communication"},
    {"comm", "communication"},
    {"communicate", "communication"},
    {"communication", "communication"},
    {"nccl", "communication"},
    {"halo", "communication"},
};
/* Two words that follow one another. */
static const struct {
  const char *first, *second, *phase;
} pairs[] = {
    {"warm", "up", "warmup"},
    {"all", "reduce", "communication"},
    {"all", "gather", "communication"},
    {"reduce", "scatter", "communication"},
    {"all", "to", "communication"},
    {"send", "recv", "communication"},
};
/* Words that say "optimizer" only beside one of the next list: a solver has steps and updates too. */
static const char *const maybe[] = {"step", "update"};
static const char *const trained[] = {"param",  "params",   "parameter", "parameters", "weight", "weights",
                                      "lr",     "momentum", "optim",     "optimizer",  "grad",   "grads",
                                      "learning"};

#define WORD_MOST 32

/* The next word of a name, in small letters: words end at what is no letter, and before a capital. */
static const char *next_word(const char *at, char *word) {
  size_t length = 0;
  while (*at && !isalpha((unsigned char)*at))
    ++at;
  while (isalpha((unsigned char)*at)) {
    if (length && isupper((unsigned char)*at) &&
        (islower((unsigned char)at[-1]) || islower((unsigned char)at[1])))
      break;
    if (length + 1 < WORD_MOST)
      word[length++] = (char)tolower((unsigned char)*at);
    ++at;
  }
  word[length] = 0;
  return at;
}

static bool has_word_of(const char *name, const char *const *list, size_t count) {
  char word[WORD_MOST];
  for (const char *at = next_word(name, word); *word; at = next_word(at, word))
    for (size_t i = 0; i < count; ++i)
      if (!strcmp(word, list[i]))
        return true;
  return false;
}

static const char *phase_of_word(const char *before, const char *word) {
  for (size_t i = 0; i < COUNT(words); ++i)
    if (!strcmp(word, words[i].word))
      return words[i].phase;
  for (size_t i = 0; i < COUNT(pairs); ++i)
    if (!strcmp(before, pairs[i].first) && !strcmp(word, pairs[i].second))
      return pairs[i].phase;
  return NULL;
}

/* Null where the words name none; two different ones are none, and *torn says so. */
static const char *phase_of_words(const char *name, bool *torn) {
  char word[WORD_MOST], before[WORD_MOST] = "";
  const char *phase = NULL;
  for (const char *at = next_word(name, word); *word; strcpy(before, word), at = next_word(at, word)) {
    const char *here = phase_of_word(before, word);
    if (here && phase && strcmp(here, phase))
      *torn = true;
    phase = here ? here : phase;
  }
  return *torn ? NULL : phase;
}

const char *phase_of_name(const char *qualified, const char *hints) {
  struct text scopes = {0};
  const char *last;
  bool torn = false;
  add_scopes(&scopes, qualified, &last);
  const char *phase = phase_of_words(last, &torn);
  if (!phase && !torn)
    phase = phase_of_words(text_get(&scopes), &torn);
  if (!phase && !torn && has_word_of(last, maybe, COUNT(maybe)) &&
      (has_word_of(qualified, trained, COUNT(trained)) || has_word_of(hints, trained, COUNT(trained))))
    phase = "optimizer";
  text_free(&scopes);
  return phase;
}

/* ---- One name each ---- */
static bool may_meet(const struct name_request *one, const struct name_request *other) {
  return one->is_local || other->is_local || strcmp(one->qualified, other->qualified) || !strcmp(one->file, other->file);
}

/* One of the first `count` requests, or a pragma, has the name of request `own`. */
static bool is_equal(const struct name_request *requests, size_t count, size_t own, const char *const *taken,
                     size_t taken_count) {
  const char *name = requests[own].name;
  for (size_t i = 0; i < taken_count; ++i)
    if (!strcmp(name, taken[i]))
      return true;
  for (size_t i = 0; i < count; ++i)
    if (i != own && !strcmp(name, requests[i].name) && may_meet(&requests[own], &requests[i]))
      return true;
  return false;
}

/* "adamw" of "src/adamw.cu" */
static char *stem_of(const char *file) {
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  return format_string("%.*s", (int)strcspn(name, "."), name);
}

/* A local function, whose name one of another file has too. */
static bool is_equal_elsewhere(const struct name_request *requests, size_t count, size_t own, const char *const *taken,
                               size_t taken_count) {
  (void)taken;
  (void)taken_count;
  for (size_t i = 0; i < count; ++i)
    if (requests[own].is_local && !strcmp(requests[i].name, requests[own].name) && strcmp(requests[i].file, requests[own].file))
      return true;
  return false;
}

/* Replaces each name for which `is_so` by the result of `better`. */
static void part_equals(struct name_request *requests, size_t count, const char *const *taken, size_t taken_count,
                        bool (*is_so)(const struct name_request *, size_t, size_t, const char *const *, size_t),
                        char *(*better)(const struct name_request *)) {
  bool *replaced = allocate(count + 1);
  for (size_t i = 0; i < count; ++i)
    replaced[i] = is_so(requests, count, i, taken, taken_count);
  for (size_t i = 0; i < count; ++i) {
    char *old = requests[i].name;
    if (!replaced[i])
      continue;
    requests[i].name = better(&requests[i]);
    free(old);
  }
  free(replaced);
}

static char *with_all_words(const struct name_request *request) { return name_in_full(request->qualified); }

static char *with_file(const struct name_request *request) {
  char *stem = stem_of(request->file), *name = format_string("%s.%s", stem, request->name);
  free(stem);
  return name;
}

static void number(struct name_request *requests, size_t count, const char *const *taken, size_t taken_count) {
  for (size_t i = 0; i < count; ++i)
    for (unsigned n = 2; is_equal(requests, i, i, taken, taken_count); ++n) {
      size_t length = strlen(requests[i].name);
      while (n > 2 && requests[i].name[length - 1] != '_')
        --length;
      char *next = format_string("%.*s%s%u", (int)length, requests[i].name, n > 2 ? "" : "_", n);
      free(requests[i].name);
      requests[i].name = next;
    }
}

void name_all(struct name_request *requests, size_t count, const char *const *taken, size_t taken_count) {
  for (size_t i = 0; i < count; ++i)
    requests[i].name = name_of_region(requests[i].qualified);
  part_equals(requests, count, taken, taken_count, is_equal, with_all_words);
  part_equals(requests, count, taken, taken_count, is_equal_elsewhere, with_file);
  number(requests, count, taken, taken_count);
}
