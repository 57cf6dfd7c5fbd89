/* SPDX-License-Identifier: MIT */
/* Private to sweep/: YAML text to a tree of texts with places. No types are guessed; anchors,
 * aliases, tags, merge keys, duplicate keys and second documents are refused. */
#ifndef SWEEP_YAML_TREE_H
#define SWEEP_YAML_TREE_H

#include "sweep/problems.h"

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    bool plain; /* a scalar without quotes or block mark */
    struct place place;
    const char *text;       /* scalar: its value; "" for lists and maps */
    const struct node *key; /* the scalar that names it in a map; NULL elsewhere */
    const struct node *first, *next;
    size_t count; /* of children */
};

/* The root of the one document, in the arena of `problems`; NULL when a problem was added or
 * memory was short. `size` excludes the terminating NUL that `text` need not have. */
const struct node *yaml_tree_read(const char *text, size_t size, size_t origin,
                                  struct problems *problems);

/* What a node is, for messages: "a text", "a list", "a map" or "nothing". */
const char *node_kind_name(const struct node *node);

/* A plain scalar that says nothing: `key:` or `key: ~`. */
bool node_is_empty(const struct node *node);

#endif
