/* SPDX-License-Identifier: MIT */
/* Tests src/report/canvas.c: which format a script draws in, and the room for lines. */
#include "report/canvas.h"
#include "report/gnuplot.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct arena arena;

static const char png[] = "\x89PNG";
static const char svg[] = "<?xml";
static const char pdf[] = "%PDF";

/* A straight line, as drawn.gp in the folder of this test. */
static void write_script(void)
{
    struct error err = ERROR_INIT;
    struct canvas canvas = {TEXT_INIT(&arena), 400, 200};
    canvas_begin(&canvas, "drawn", "A line");
    text_append(&canvas.script, "plot [0:1] x notitle\n");
    const char *script = canvas_end(&canvas, &err);
    ck_assert_ptr_nonnull(script);
    support_file("drawn.gp", script, strlen(script));
}

/* Runs it with these variables of gnuplot. Whether it succeeds; what it says goes to `said`. */
static bool draw(const char *variables)
{
    char command[1024];
    snprintf(command, sizeof command, "cd '%s' && gnuplot -d -e \"%s\" drawn.gp 2>said",
             support_folder(), variables);
    return system(command) == 0;
}

/* Whether a file of the folder begins so. It is removed. */
static bool begins(const char *name, const char *start)
{
    char path[1024];
    char bytes[16] = "";
    snprintf(path, sizeof path, "%s/%s", support_folder(), name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    unlink(path);
    return size > strlen(start) && memcmp(bytes, start, strlen(start)) == 0;
}

/* Whether gnuplot said this about the last script. */
static bool said(const char *words)
{
    char path[1024];
    char text[1024] = "";
    snprintf(path, sizeof path, "%s/said", support_folder());
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return strstr(text, words) != NULL;
}

START_TEST(endings_count_in_small_letters_and_in_capitals)
{
    write_script();
    ck_assert(draw("OUT='x.SVG'") && begins("x.SVG", svg));
    ck_assert(draw("OUT='x.PDF'") && begins("x.PDF", pdf));
    ck_assert(draw("OUT='x.PNG'") && begins("x.PNG", png));
    ck_assert(draw("OUT='x.Svg'") && begins("x.Svg", svg));
    ck_assert(draw("OUT='x.pdf'") && begins("x.pdf", pdf));
    ck_assert(draw("OUT='x.jpg.svg'") && begins("x.jpg.svg", svg));
}
END_TEST

START_TEST(without_an_ending_it_is_png)
{
    write_script();
    ck_assert(draw("") && begins("drawn.png", png));
    ck_assert(draw("OUT='x'") && begins("x", png));
    ck_assert(draw("OUT='svg'") && begins("svg", png));
    /* the dots are those of folders */
    ck_assert(draw("OUT='./x'") && begins("x", png));
}
END_TEST

START_TEST(other_endings_stop_with_the_endings_there_are)
{
    static const char *const endings[] = {"jpg", "JPG", "svgz", "eps", "png~"};
    write_script();
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char name[32];
        char variables[64];
        char message[128];
        snprintf(name, sizeof name, "x.%s", endings[i]);
        snprintf(variables, sizeof variables, "OUT='%s'", name);
        snprintf(message, sizeof message, "OUT='%s' ends in none of .png, .svg and .pdf; name",
                 name);
        ck_assert_msg(!draw(variables), "%s is taken", name);
        ck_assert(said(message));
        ck_assert_msg(!begins(name, ""), "%s is written", name);
    }
}
END_TEST

START_TEST(a_format_that_is_given_takes_any_name)
{
    write_script();
    ck_assert(draw("FORMAT='svg'; OUT='x.jpg'") && begins("x.jpg", svg));
    ck_assert(draw("FORMAT='pdf'; OUT='x.svg'") && begins("x.svg", pdf));
    ck_assert(draw("FORMAT='png'; OUT='x.png.tmp'") && begins("x.png.tmp", png));
    ck_assert(draw("FORMAT='SVG'") && begins("drawn.svg", svg));
    ck_assert(!draw("FORMAT='jpg'; OUT='x.svg'"));
    ck_assert(said("FORMAT='jpg' is unknown; it is 'png', 'svg' or 'pdf'"));
}
END_TEST

/* A W is 0.99 of the size of the font wide, which is 19 points of 4/3 pixels: 25.08. Of 2000 pixels
 * two margins of 44 leave 1912, which 76 of them fill to 1906. */
START_TEST(lines_have_room_between_the_margins)
{
    const struct canvas canvas = {TEXT_INIT(&arena), 2000, 1000};
    char line[78];
    memset(line, 'W', sizeof line);
    line[77] = '\0';
    ck_assert(!canvas_line_fits(&canvas, line));
    line[76] = '\0';
    ck_assert(canvas_line_fits(&canvas, line));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("canvas");
    TCase *cases = tcase_create("canvas");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, endings_count_in_small_letters_and_in_capitals);
    tcase_add_test(cases, without_an_ending_it_is_png);
    tcase_add_test(cases, other_endings_stop_with_the_endings_there_are);
    tcase_add_test(cases, a_format_that_is_given_takes_any_name);
    tcase_add_test(cases, lines_have_room_between_the_margins);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
