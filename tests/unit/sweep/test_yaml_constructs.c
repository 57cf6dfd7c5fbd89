/* SPDX-License-Identifier: MIT */
/* Every construct of YAML 1.1 and 1.2 through the reader of sweeps (sweep/yaml_tree.c and all
 * behind it): it is read as what the specification says, or refused with its place. */
#include "sweep_support.h"

#include "base/text.h"
#include "sweep/yaml_tree.h"

/* Three lines, so that what follows begins on line 4. */
#define HEAD "rowmax: 1\nfixed:\n  {source: gaussian, tokens: 4}\n"

struct construct {
    const char *text;
    const char *title; /* as read; NULL where it is refused with: */
    const char *fault;
};

static void check(const struct construct *construct, const char *head)
{
    struct sweep_case test = CASE_INIT;
    struct text text = TEXT_INIT(&test.arena);
    text_append(&text, head);
    text_append(&text, construct->text);
    bool good = case_read(&test, text.data, NULL, 0);
    ck_assert_msg(good == (construct->title != NULL), "%s\n%s", text.data, test.err.message);
    if (good) {
        ck_assert_str_eq(test.sweep.title, construct->title);
    } else {
        ck_assert_msg(strstr(test.err.message, construct->fault) == test.err.message,
                      "%s\ngives %s", text.data, test.err.message);
        ck_assert_int_eq(test.err.code, ERROR_INPUT);
    }
    case_release(&test);
}

/* The text under 'title' in the tree, before a title has to be one line. */
static void check_tree(const struct construct *construct)
{
    struct sweep_case test = CASE_INIT;
    struct problems problems = {.arena = &test.arena, .path = "s.yaml", .err = &test.err};
    const struct node *root =
        yaml_tree_read(construct->text, strlen(construct->text), 0, &problems);
    ck_assert_msg(root != NULL && root->first != NULL, "%s", construct->text);
    ck_assert_str_eq(root->first->key->text, "title");
    ck_assert_str_eq(root->first->text, construct->title);
    case_release(&test);
}

/* YAML 1.2.2, chapters 7 and 8. */
static const struct construct texts[] = {
    {"title: a plain text\n", "a plain text", NULL},
    {"title:   spaces around   # a note\n", "spaces around", NULL},
    {"title: no#note\n", "no#note", NULL},
    {"title: a:b http://c ?d -e\n", "a:b http://c ?d -e", NULL},
    {"title: one\n  line\n    folded\n", "one line folded", NULL},
    {"title:\n  below\n", "below", NULL},
    {"title: 'it''s'\n", "it's", NULL},
    {"title: 'no \\n escape: # [ { here'\n", "no \\n escape: # [ { here", NULL},
    {"title: 'two\n  lines'\n", "two lines", NULL},
    {"title: \"\\x41\\u00e9\\U0001F600\\\"\\\\\\/\\N\"\n", "A\xC3\xA9\xF0\x9F\x98\x80\"\\/\xC2\x85",
     NULL},
    {"title: \"a\\\n  b\"\n", "ab", NULL},
    {"title: \"a\n\n  b\"\n", "a\nb", NULL},
    {"title: |-\n  a\n   b\n", "a\n b", NULL},
    {"title: |\n  a\n", "a\n", NULL},
    {"title: |+\n  a\n\n", "a\n\n", NULL},
    {"title: |2-\n   a\n", " a", NULL},
    {"title: |-2 # note\n   a\n", " a", NULL},
    {"title: >-\n  a\n  b\n\n  c\n", "a b\nc", NULL},
    {"title: >-\n  a\n   b\n  c\n", "a\n b\nc", NULL},
    {"title: >-\n\n", "", NULL},
    {"title: |-\n  # no note\n  - no list\n  a: no map\n", "# no note\n- no list\na: no map", NULL},
    {"title: 2001-12-14t21:59:43.10-05:00\n", "2001-12-14t21:59:43.10-05:00", NULL},
    {"title: 0x1F\n", "0x1F", NULL},
    {"title: yes\n", "yes", NULL},
    {"title: .nan\n", ".nan", NULL},
    {"title: 'null'\n", "null", NULL},
    {"title: \xE7\x8C\xAB \xF0\x9F\x98\x80\n", "\xE7\x8C\xAB \xF0\x9F\x98\x80", NULL},
    {"\"title\": quoted key\n", "quoted key", NULL},
    {"'title': quoted key\n", "quoted key", NULL},
    {"? title\n: explicit\n", "explicit", NULL},
    {"? |-\n  title\n: block key\n", "block key", NULL},
    {"title : space before the colon\n", "space before the colon", NULL},
    {"title:\ttab after it\n", "tab after it", NULL},
    {"title: a\ttab\n", "a\ttab", NULL},
    {"title: x\n# note\n\n   # note\n", "x", NULL},
    {"title: x\n...\n", "x", NULL},
    {"title: x\n...\n...\n# note\n", "x", NULL},
    {"title: x\r\ngrid: {seed: 1}\r\n", "x", NULL},
    {"title: x\rgrid: {seed: 1}\r", "x", NULL},
    {"title: x\xC2\x85grid: {seed: 1}\n", "x", NULL},
};

START_TEST(texts_are_read_as_yaml_says)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_tree(&texts[i]);
    }
}
END_TEST

/* Whole documents, each of one run. */
static const struct construct documents[] = {
    {"{rowmax: 1, fixed: {source: gaussian, tokens: 4}, title: flow}\n", "flow", NULL},
    {"{\"rowmax\":1,\"fixed\":{\"source\":\"gaussian\",\"tokens\":4},\"title\":\"JSON\"}", "JSON",
     NULL},
    {"{rowmax: 1, # note\n fixed: {source: gaussian,\n tokens: 4,}, title: commas,}\n", "commas",
     NULL},
    {"--- {rowmax: 1, fixed: {source: gaussian, tokens: 4}, title: marked}\n...\n", "marked", NULL},
    {"%YAML 1.1\n---\nrowmax: 1\nfixed: {source: gaussian, tokens: 4}\ntitle: v\n", "v", NULL},
    {"%YAML 1.2\n# note\n---\nrowmax: 1\nfixed: {source: gaussian, tokens: 4}\ntitle: v\n", "v",
     NULL},
    {"%TAG !e! tag:x.org,2000:\n---\nrowmax: 1\nfixed: {source: gaussian, tokens: 4}\ntitle: v\n",
     "v", NULL},
    {"\xEF\xBB\xBFrowmax: 1\nfixed: {source: gaussian, tokens: 4}\ntitle: mark\n", "mark", NULL},
    {"\n\n# note\nrowmax: 1\nfixed:\n    source: gaussian\n    tokens: 4\ntitle: deep\n", "deep",
     NULL},
    {"rowmax: 1\nfixed: {source: gaussian, tokens: 4}\ntitle: x\ngrid:\n- seed: 1\n- seed: 1\n",
     "x", NULL},
    {"rowmax: 1\nfixed: {source: gaussian, tokens: 4}\ntitle: x\ngrid:\n  -\n    seed: 1\n", "x",
     NULL},
    {"rowmax: 1\nfixed: {source: gaussian, tokens: 4}\ntitle: x\ngrid: {seed: [1,\n\t1]}\n", "x",
     NULL},
    {"rowmax: 1\nfixed: {source: gaussian, tokens: 4}\ntitle: x\ngrid: [seed: 1]\n", "x", NULL},
};

START_TEST(documents_are_read_in_every_form)
{
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        check(&documents[i], "");
    }
}
END_TEST

/* What YAML has and a sweep has not. */
static const struct construct refused[] = {
    {"title: &a x\n", NULL, "s.yaml:4:8: anchors are not supported ('&a')"},
    {"grid: &a {seed: 1}\n", NULL, "s.yaml:4:7: anchors are not supported ('&a')"},
    {"grid: {seed: &a [1]}\n", NULL, "s.yaml:4:14: anchors"},
    {"&a title: x\n", NULL, "s.yaml:4:1: anchors"},
    {"title: &a\n", NULL, "s.yaml:4:8: anchors"},
    {"title: *a\n", NULL, "s.yaml:4:8: aliases are not supported ('*a')"},
    {"*a : x\n", NULL, "s.yaml:4:1: aliases"},
    {"grid: {seed: [*a]}\n", NULL, "s.yaml:4:15: aliases"},
    {"grid: {<<: {seed: 1}}\n", NULL, "s.yaml:4:8: merge keys ('<<') are not supported"},
    {"grid:\n  <<: [{seed: 1}]\n", NULL, "s.yaml:5:3: merge keys"},
    {"title: ! x\n", NULL, "s.yaml:4:8: tags are not supported ('!')"},
    {"title: !x y\n", NULL, "s.yaml:4:8: tags are not supported ('!x')"},
    {"title: !<tag:yaml.org,2002:str> y\n", NULL,
     "s.yaml:4:8: tags are not supported ('tag:yaml.org,2002:str')"},
    {"title: !!binary aGk=\n", NULL, "s.yaml:4:8: tags"},
    {"grid: !!set {seed}\n", NULL, "s.yaml:4:7: tags"},
    {"grid: !!omap [seed: 1]\n", NULL, "s.yaml:4:7: tags"},
    {"title: !e!x y\n", NULL, "s.yaml:4:8: found undefined tag handle"},
    {"title: !<x y\n", NULL, "s.yaml:4:"},
    {"? [a, b]\n: x\n", NULL, "s.yaml:4:3: a key must be a single word"},
    {"? {a: b}\n: x\n", NULL, "s.yaml:4:3: a key must be a single word"},
    {"? - a\n: x\n", NULL, "s.yaml:4:3: a key must be a single word"},
    {": x\n", NULL, "s.yaml:4:1: did not find expected key"},
    {"1: x\n", NULL, "s.yaml:4:1: unknown key '1'"},
    {"a key: x\n", NULL, "s.yaml:4:1: unknown key 'a key'"},
    {"~: x\n", NULL, "s.yaml:4:1: unknown key '~'"},
    {"? title\n", NULL, "s.yaml:"},
    {"title: x\ntitle: y\n", NULL, "s.yaml:5:1: duplicate key 'title' (first on line 4)"},
    {"title: x\n'title': y\n", NULL, "s.yaml:5:1: duplicate key 'title' (first on line 4)"},
    {"title: x\n\"t\\x69tle\": y\n", NULL, "s.yaml:5:1: duplicate key 'title' (first on line 4)"},
    {"---\ntitle: x\n", NULL, "s.yaml:4:1: more than one document"},
    {"...\ntitle: x\n", NULL, "s.yaml:5:1: "},
    {"...\n%YAML 1.2\n---\nx\n", NULL, "s.yaml:5:1: more than one document"},
    {"title: [x]\n", NULL, "s.yaml:4:8: "},
    {"title: {x: y}\n", NULL, "s.yaml:4:8: "},
    {"title: \"\\0\"\n", NULL, "s.yaml:4:8: NUL in a text"},
};

START_TEST(what_a_sweep_has_not_is_refused_at_its_place)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        check(&refused[i], HEAD);
    }
}
END_TEST

/* What no YAML is. */
static const struct construct broken[] = {
    {"grid: [\n", NULL, "s.yaml:5:1: "},
    {"grid: {seed: 1\n", NULL, "s.yaml:5:1: "},
    {"grid: {seed: 1]\n", NULL, "s.yaml:4:15: "},
    {"grid: ]\n", NULL, "s.yaml:4:7: "},
    {"grid: }\n", NULL, "s.yaml:4:7: "},
    {"grid: [1, , 2]\n", NULL, "s.yaml:4:11: "},
    {"grid: [1 2: 3: 4]\n", NULL, "s.yaml:4:"},
    {"title: \"x\n", NULL, "s.yaml:4:8: this quote is never closed"},
    {"title: 'x\n", NULL, "s.yaml:4:8: this quote is never closed"},
    {"title: \"x\" y\n", NULL, "s.yaml:4:12: "},
    {"title: 'x'y\n", NULL, "s.yaml:4:11: "},
    {"title: \"\\q\"\n", NULL, "s.yaml:4:"},
    {"title: \"\\xZZ\"\n", NULL, "s.yaml:4:"},
    {"title: \"\\uD800\"\n", NULL, "s.yaml:4:"},
    {"title: \"\\U00110000\"\n", NULL, "s.yaml:4:"},
    {"title: @x\n", NULL, "s.yaml:4:8: a text cannot begin with '@'; put it in quotes"},
    {"title: `x\n", NULL, "s.yaml:4:8: a text cannot begin with '`'; put it in quotes"},
    {"title: %x\n", NULL, "s.yaml:4:8: a text cannot begin with '%'; put it in quotes"},
    {"title: a: b\n", NULL, "s.yaml:4:9: unexpected ':'"},
    {"title: - a\n", NULL, "s.yaml:4:8: "},
    {"title: |x\n", NULL, "s.yaml:4:9: "},
    {"title: |0\n  x\n", NULL, "s.yaml:4:9: "},
    {"title: |-+\n  x\n", NULL, "s.yaml:4:10: "},
    {"title: |12\n  x\n", NULL, "s.yaml:4:10: "},
    {"title: &\n", NULL, "s.yaml:4:9: "},
    {"title: *\n", NULL, "s.yaml:4:9: "},
    {"title: x\n - y\n: z\n", NULL, "s.yaml:"},
    {"  title: x\n", NULL, "s.yaml:4:3: "},
    {"title: x\n  grid: y\n", NULL, "s.yaml:5:7: unexpected ':'"},
    {"title x\n", NULL, "s.yaml:5:1: "},
    {"- title\n", NULL, "s.yaml:4:1: "},
    {"\ttitle: x\n", NULL, "s.yaml:4:1: tab used for indentation; use spaces"},
    {"grid:\n\tseed: 1\n", NULL, "s.yaml:5:1: tab used for indentation; use spaces"},
    {"grid:\n  -\tseed: 1\n    d_k: 2\n", NULL, "s.yaml:"},
    {"%YAML 1.2\n", NULL, "s.yaml:5:1: did not find expected <document start>"},
    {"title: \x07\n", NULL, "s.yaml:4:8: control character U+0007 is not allowed"},
    {"title: \x1B[31m\n", NULL, "s.yaml:4:8: control character U+001B is not allowed"},
    {"title: \x7F\n", NULL, "s.yaml:4:8: control character U+007F is not allowed"},
    {"title: \xC2\x80\n", NULL, "s.yaml:4:8: control character U+0080 is not allowed"},
    {"title: \xEF\xBF\xBF\n", NULL, "s.yaml:4:8: control character U+FFFF is not allowed"},
    {"title: \xED\xA0\x80\n", NULL, "s.yaml:4:8: invalid UTF-8 (byte 0xED"},
    {"title: \xC0\x80\n", NULL, "s.yaml:4:8: invalid UTF-8 (byte 0xC0"},
    {"title: \xF4\x90\x80\x80\n", NULL, "s.yaml:4:8: invalid UTF-8 (byte 0xF4"},
    {"title: \xE2\x82\n", NULL, "s.yaml:4:8: invalid UTF-8 (byte 0xE2"},
};

START_TEST(what_no_yaml_is_has_a_place)
{
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        check(&broken[i], HEAD);
    }
}
END_TEST

/* Values by the field, whatever a YAML of some version would take them for. */
static const struct construct values[] = {
    {"seed: 017}", NULL, "s.yaml:4:14: seed: '017' has a leading zero; write 17"},
    {"seed: 0x10}", NULL, "s.yaml:4:14: seed: '0x10' is not"},
    {"seed: 0o17}", NULL, "s.yaml:4:14: seed: '0o17' is not"},
    {"seed: 0b1}", NULL, "s.yaml:4:14: seed: '0b1' is not"},
    {"seed: 1_000}", NULL, "s.yaml:4:14: seed: '1_000' is not"},
    {"seed: 1:30}", NULL, "s.yaml:4:14: seed: '1:30' is not"},
    {"seed: 1e3}", NULL, "s.yaml:4:14: seed: '1e3' is not"},
    {"seed: +7}", "s", NULL},
    {"seed: '7'}", NULL, "s.yaml:4:14: seed: '7' is in quotes and so a text"},
    {"seed: ~}", NULL, "s.yaml:4:"},
    {"seed: null}", NULL, "s.yaml:4:14: seed: 'null' is not"},
    {"seed: }", NULL, "s.yaml:4:"},
    {"seed}", NULL, "s.yaml:4:"},
    {"seed: 9223372036854775808}", NULL, "s.yaml:4:14: seed: "},
    {"score_factor: .inf}", NULL, "s.yaml:4:22: score_factor: '.inf' is not"},
    {"score_factor: .5}", "s", NULL},
    {"score_factor: 1_0.5}", NULL, "s.yaml:4:22: score_factor: '1_0.5' is not"},
    {"score_factor: 1e400}", NULL, "s.yaml:4:22: score_factor: '1e400'"},
    {"guard_norm: on}", "s", NULL},
    {"guard_norm: y}", NULL, "s.yaml:4:20: guard_norm: 'y' is not a switch"},
    {"guard_norm: 'on'}", NULL, "s.yaml:4:20: "},
};

START_TEST(the_field_gives_the_type)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        check(&values[i], HEAD "grid: {");
    }
}
END_TEST

static void check_bytes(const char *bytes, size_t size, const char *fault)
{
    struct sweep_case test = CASE_INIT;
    ck_assert(!sweep_parse("s.yaml", bytes, size, NULL, 0, &test.arena, &test.sweep, &test.err));
    assert_error(test.err, ERROR_INPUT, fault);
    case_release(&test);
}

START_TEST(other_encodings_are_named)
{
    check_bytes("\xFF\xFEr\0o\0", 6, "s.yaml:1:1: looks like UTF-16; save it as UTF-8");
    check_bytes("\xFE\xFF\0r\0o", 6, "s.yaml:1:1: looks like UTF-16; save it as UTF-8");
    check_bytes("\xFF\xFE\0\0r\0\0\0", 8, "s.yaml:1:1: looks like UTF-16; save it as UTF-8");
    check_bytes("r\0o\0", 4, "s.yaml:1:2: control character U+0000 is not allowed");
    check_bytes("rowmax: 1\0", 10, "s.yaml:1:10: control character U+0000 is not allowed");
}
END_TEST

/* A text of `size` bytes of repeats, after a beginning, ends within the time of a test. */
static void check_repeats(const char *begin, const char *repeat, size_t size)
{
    struct sweep_case test = CASE_INIT;
    struct text text = TEXT_INIT(&test.arena);
    text_append(&text, begin);
    while (text.length < size) {
        text_append(&text, repeat);
    }
    ck_assert_msg(!case_read(&test, text.data, NULL, 0), "accepted: %s%s...", begin, repeat);
    ck_assert_msg(strncmp(test.err.message, "s.yaml:", 7) == 0, "%s", test.err.message);
    case_release(&test);
}

START_TEST(bombs_end_soon)
{
    static const char *const repeats[] = {
        "[",       "{",    "[[]",         "? ",    "- ",     "- - ",   "a: [",     "{a: {",
        "\"",      "'",    "\"\n",        "\"\\x", "&a ",    "*a ",    "- &a\n",   "- *a\n",
        "!x ",     "!<",   "%",           "---\n", "...\n",  "%A b\n", "|\n",      "- |\n x\n",
        "#",       "\t",   "a: ",         "a:\n",  "a: 1\n", "? [\n",  "<<: *a\n", "{a, ",
        ",",       ": ",   "x: |2\n",     "\r",    "- a: ",  "~\n",    "\xC2\x85", "- !\n",
        "{&a *a ", "a b ", "\xE2\x80\xA8"};
    for (size_t i = 0; i < sizeof repeats / sizeof repeats[0]; i++) {
        check_repeats("", repeats[i], 300000);
        check_repeats(HEAD "grid: ", repeats[i], 300000);
        check_repeats(HEAD "grid: {seed: [", repeats[i], 300000);
    }
}
END_TEST

/* Each list names the one before it nine times: 9^9 values, were they written out. */
START_TEST(an_alias_bomb_is_named_not_built)
{
    struct sweep_case test = CASE_INIT;
    struct text text = TEXT_INIT(&test.arena);
    text_append(&text, HEAD "a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (char name = 'b'; name <= 'i'; name++) {
        text_append_format(&text, "%c: &%c [", name, name);
        for (int i = 0; i < 9; i++) {
            text_append_format(&text, "*%c, ", name - 1);
        }
        text_append(&text, "]\n");
    }
    ck_assert(!case_read(&test, text.data, NULL, 0));
    assert_error(test.err, ERROR_INPUT, "s.yaml:4:4: anchors are not supported ('&a')");
    case_release(&test);
}
END_TEST

START_TEST(large_texts_and_comments_are_read)
{
    enum { LARGE = 3000000 };
    struct sweep_case test = CASE_INIT;
    char *filler = arena_alloc(&test.arena, LARGE + 1, 1, &test.err);
    memset(filler, 'x', LARGE);
    struct text text = TEXT_INIT(&test.arena);
    text_append(&text, HEAD "# ");
    text_append(&text, filler);
    filler[LARGE / 8] = '\0';
    text_append(&text, "\ntitle: ");
    text_append(&text, filler);
    assert_ok(case_read(&test, text.data, NULL, 0), test.err);
    ck_assert_uint_eq(strlen(test.sweep.title), LARGE / 8);
    case_release(&test);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/yaml_constructs");
    TCase *tests = tcase_create("constructs");
    tcase_add_test(tests, texts_are_read_as_yaml_says);
    tcase_add_test(tests, documents_are_read_in_every_form);
    tcase_add_test(tests, what_a_sweep_has_not_is_refused_at_its_place);
    tcase_add_test(tests, what_no_yaml_is_has_a_place);
    tcase_add_test(tests, the_field_gives_the_type);
    tcase_add_test(tests, other_encodings_are_named);
    tcase_add_test(tests, bombs_end_soon);
    tcase_add_test(tests, an_alias_bomb_is_named_not_built);
    tcase_add_test(tests, large_texts_and_comments_are_read);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
