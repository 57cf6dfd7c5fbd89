/* SPDX-License-Identifier: MIT */
/* The YAML subset: what the tree holds, and what is refused where. */
#include "sweep/yaml_tree.h"

#include "support.h"
#include "base/text.h"
#include "sweep/sweep.h"

#include <string.h>

static struct arena arena;
static struct error err;
static struct problems problems;

static void set_up(void)
{
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    problems = (struct problems){.arena = &arena, .path = "s.yaml", .err = &err};
}

static void tear_down(void)
{
    arena_release(&arena);
}

static const struct node *read_bytes(const char *text, size_t size)
{
    const struct node *root = yaml_tree_read(text, size, 0, &problems);
    bool clean = problems_finish(&problems);
    ck_assert(clean == (root != NULL));
    return root;
}

static const struct node *read_good(const char *text)
{
    const struct node *root = read_bytes(text, strlen(text));
    ck_assert_msg(root != NULL, "%s", err.message);
    return root;
}

static void refuse_bytes(const char *text, size_t size, const char *message)
{
    ck_assert_msg(read_bytes(text, size) == NULL, "accepted: %s", text);
    assert_error(err, ERROR_INPUT, message);
    tear_down();
    set_up();
}

static void refuse(const char *text, const char *message)
{
    refuse_bytes(text, strlen(text), message);
}

static void assert_place(const struct node *node, size_t line, size_t column)
{
    ck_assert_uint_eq(node->place.line, line);
    ck_assert_uint_eq(node->place.column, column);
}

START_TEST(maps_lists_and_scalars_keep_their_place_and_text)
{
    const struct node *root = read_good("a: 1e-3\nb:\n  - x\n  - 'no'\nc: {d: ~}\n");
    ck_assert_int_eq(root->kind, NODE_MAP);
    ck_assert_uint_eq(root->count, 3);
    const struct node *a = root->first;
    ck_assert_str_eq(a->key->text, "a");
    ck_assert_str_eq(a->text, "1e-3");
    ck_assert(a->plain);
    assert_place(a->key, 1, 1);
    assert_place(a, 1, 4);
    const struct node *b = a->next;
    ck_assert_int_eq(b->kind, NODE_LIST);
    ck_assert_uint_eq(b->count, 2);
    ck_assert_str_eq(b->first->text, "x");
    ck_assert_ptr_null(b->first->key);
    ck_assert_str_eq(b->first->next->text, "no");
    ck_assert(!b->first->next->plain);
    assert_place(b->first->next, 4, 5);
    const struct node *d = b->next->first;
    ck_assert_str_eq(d->key->text, "d");
    ck_assert(node_is_empty(d));
}
END_TEST

START_TEST(only_a_plain_tilde_or_nothing_is_empty)
{
    const struct node *root = read_good("a:\nb: ~\nc: ''\nd: '~'\ne: null\nf: no\n");
    static const bool empty[] = {true, true, false, false, false, false};
    size_t i = 0;
    for (const struct node *node = root->first; node != NULL; node = node->next) {
        ck_assert_int_eq(node_is_empty(node), empty[i++]);
    }
    ck_assert_uint_eq(i, 6);
}
END_TEST

START_TEST(duplicate_keys_are_named_with_both_lines)
{
    refuse("a: 1\nb: 2\na: 3\n", "s.yaml:3:1: duplicate key 'a' (first on line 1)");
    refuse("g: {x: 1, x: 2}\n", "s.yaml:1:11: duplicate key 'x' (first on line 1)");
    refuse("'a': 1\na: 2\n", "s.yaml:2:1: duplicate key 'a' (first on line 1)");
    refuse("a: 1\na: 2\na: 3\n", "s.yaml:3:1: duplicate key 'a' (first on line 1)");
}
END_TEST

START_TEST(anchors_aliases_tags_and_merge_keys_are_refused)
{
    refuse("a: &b 1\n", "s.yaml:1:4: anchors are not supported ('&b')");
    refuse("a: *b\n", "s.yaml:1:4: aliases are not supported ('*b')");
    refuse("a: &b [*b]\n", "aliases are not supported ('*b')");
    refuse("<<: x\n", "s.yaml:1:1: merge keys ('<<') are not supported");
    refuse("a: !!float 1\n", "tags are not supported ('tag:yaml.org,2002:float')");
    refuse("a: !!python/object:os.system x\n", "s.yaml:1:4: tags are not supported");
    refuse("a: !x [1]\n", "s.yaml:1:4: tags are not supported ('!x')");
    refuse("a: !x {b: 1}\n", "s.yaml:1:4: tags are not supported ('!x')");
}
END_TEST

START_TEST(an_alias_bomb_is_refused_at_its_first_anchor)
{
    refuse("a: &a [x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\n",
           "s.yaml:1:4: anchors are not supported ('&a')");
}
END_TEST

START_TEST(keys_are_single_words)
{
    refuse("? [1, 2]\n: x\n", "s.yaml:1:3: a key must be a single word");
    refuse("{a: 1}: x\n", "s.yaml:1:1: a key must be a single word");
}
END_TEST

START_TEST(a_file_holds_one_document)
{
    refuse("a: 1\n---\nb: 2\n", "s.yaml:2:1: more than one document");
    refuse("", "s.yaml:1:1: the file is empty; a sweep begins with 'rowmax: 1'");
    refuse("# only a comment\n", "s.yaml:1:1: the file is empty");
    refuse("%YAML 1.3\n---\na: 1\n", "s.yaml:1:1: unsupported YAML version");
    ck_assert_uint_eq(read_good("%YAML 1.2\n---\na: 1\n...\n")->count, 1);
}
END_TEST

START_TEST(tabs_may_separate_but_not_indent)
{
    refuse("a:\n\tb: 2\n", "s.yaml:2:1: tab used for indentation; use spaces");
    refuse("a: 1\n\tb: 2\n", "s.yaml:2:1: tab used for indentation; use spaces");
    refuse("a:\n  b: 1\n\tc: 2\n", "s.yaml:3:1: tab used for indentation; use spaces");
    ck_assert_uint_eq(read_good("a: [8]\t# note\nb:\t[8]\n")->count, 2);
}
END_TEST

START_TEST(an_unclosed_quote_is_reported_where_it_opens)
{
    refuse("a: 1\nb: \"x\nc: 2\nd: 3\n", "s.yaml:2:4: this quote is never closed");
    refuse("a: 'x\n", "s.yaml:1:4: this quote is never closed");
}
END_TEST

START_TEST(a_missing_space_or_an_odd_character_gets_a_remedy)
{
    refuse("lr:1\nseed: 2\n", "s.yaml:2:5: unexpected ':'; is a space missing after a ':' above");
    refuse("a: @foo\n", "s.yaml:1:4: a text cannot begin with '@'; put it in quotes");
    refuse("a: {b: 1\nc: 2\n", "that starts on line 1)");
}
END_TEST

START_TEST(bytes_that_are_no_text_are_located)
{
    refuse("ab\r\ncd: \a\n", "s.yaml:2:5: control character U+0007 is not allowed");
    refuse("\xC3\xA4: 1\n\xC3\xA4: \xFF\n", "s.yaml:2:4: invalid UTF-8 (byte 0xFF at offset 10)");
    refuse_bytes("a: \0b\n", 6, "s.yaml:1:4: control character U+0000 is not allowed");
    refuse("a: \"x\\0y\"\n", "s.yaml:1:4: NUL in a text");
    refuse_bytes("\xFF\xFE"
                 "a\0",
                 4, "s.yaml:1:1: looks like UTF-16; save it as UTF-8");
    refuse_bytes(
        "\x89HDF\r\n\x1a\n\0\0", 10,
        "s.yaml:1:1: an HDF5 file, no YAML; 'rowmax report' and 'rowmax show' read results");
}
END_TEST

START_TEST(a_byte_order_mark_moves_no_column)
{
    const struct node *root = read_good("\xEF\xBB\xBF- a: 1\n  b: 2\n");
    ck_assert_int_eq(root->kind, NODE_LIST);
    const struct node *map = root->first;
    ck_assert_str_eq(map->first->key->text, "a");
    assert_place(map->first->key, 1, 3);
    assert_place(map->first->next->key, 2, 3);
}
END_TEST

START_TEST(every_kind_of_line_end_is_one)
{
    static const char *const texts[] = {"a: 1\r\nb: 2\r\n", "a: 1\rb: 2\r", "a: 1\nb: 2",
                                        "a: 1\r\n\r\nb: 2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct node *root = read_good(texts[i]);
        ck_assert_uint_eq(root->count, 2);
        ck_assert_str_eq(root->first->text, "1");
        ck_assert_str_eq(root->first->next->text, "2");
    }
}
END_TEST

START_TEST(depth_is_limited_before_anything_is_built)
{
    enum { DEEP = 1000000 };
    char *text = arena_alloc(&arena, DEEP + 1, 1, &err);
    memset(text, '[', DEEP);
    ck_assert_ptr_null(read_bytes(text, DEEP));
    assert_error(err, ERROR_INPUT, "s.yaml:1:33: nested too deeply (limit 32)");
    tear_down();
    set_up();
    refuse("- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - x\n",
           "s.yaml:1:65: nested too deeply (limit 32)");
    const struct node *deep =
        read_good("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
    ck_assert_int_eq(deep->kind, NODE_LIST);
}
END_TEST

/* A comparison of every key with every other would not end within the time of a test. */
START_TEST(a_hundred_thousand_keys_are_checked_for_duplicates)
{
    enum { KEYS = 99000 };
    struct text text = TEXT_INIT(&arena);
    for (int i = 0; i < KEYS; i++) {
        text_append_format(&text, "key%d: 1\n", i);
    }
    size_t unique = text.length;
    text_append(&text, "key41: 1\n");
    ck_assert_ptr_nonnull(text_finish(&text, &err));
    ck_assert_uint_eq(read_bytes(text.data, unique)->count, KEYS);
    problems.nodes = 0; /* another sweep */
    ck_assert_ptr_null(read_bytes(text.data, text.length));
    assert_error(err, ERROR_INPUT, "s.yaml:99001:1: duplicate key 'key41' (first on line 42)");
}
END_TEST

START_TEST(nodes_are_limited)
{
    struct text text = TEXT_INIT(&arena);
    text_append(&text, "a: [");
    for (int i = 0; i < SWEEP_NODE_LIMIT; i++) {
        text_append(&text, "1,");
    }
    text_append(&text, "]\n");
    ck_assert_ptr_nonnull(text_finish(&text, &err));
    ck_assert_ptr_null(read_bytes(text.data, text.length));
    assert_error(err, ERROR_INPUT, "more than 200000 values and keys, the limit");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/yaml_tree");
    TCase *tests = tcase_create("tree");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, maps_lists_and_scalars_keep_their_place_and_text);
    tcase_add_test(tests, only_a_plain_tilde_or_nothing_is_empty);
    tcase_add_test(tests, duplicate_keys_are_named_with_both_lines);
    tcase_add_test(tests, anchors_aliases_tags_and_merge_keys_are_refused);
    tcase_add_test(tests, an_alias_bomb_is_refused_at_its_first_anchor);
    tcase_add_test(tests, keys_are_single_words);
    tcase_add_test(tests, a_file_holds_one_document);
    tcase_add_test(tests, tabs_may_separate_but_not_indent);
    tcase_add_test(tests, an_unclosed_quote_is_reported_where_it_opens);
    tcase_add_test(tests, a_missing_space_or_an_odd_character_gets_a_remedy);
    tcase_add_test(tests, bytes_that_are_no_text_are_located);
    tcase_add_test(tests, a_byte_order_mark_moves_no_column);
    tcase_add_test(tests, every_kind_of_line_end_is_one);
    tcase_add_test(tests, depth_is_limited_before_anything_is_built);
    tcase_add_test(tests, a_hundred_thousand_keys_are_checked_for_duplicates);
    tcase_add_test(tests, nodes_are_limited);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
