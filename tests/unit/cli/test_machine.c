/* SPDX-License-Identifier: MIT */
/* Tests src/cli/machine.c against made-up systems. */
#include "cli/machine.h"
#include "support.h"

#include "base/files.h"

#include <stdio.h>
#include <string.h>

static char root[4096];

/* A file of the made-up system `name`. */
static void put(const char *path, const char *text)
{
    struct error err = ERROR_INIT;
    char whole[8192];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    char *slash = strrchr(whole, '/');
    *slash = '\0';
    assert_ok(files_make_folders(whole, &err), err);
    *slash = '/';
    assert_ok(files_replace(whole, text, strlen(text), &err), err);
}

static void begin(const char *name)
{
    snprintf(root, sizeof root, "%s", support_path(name));
}

START_TEST(the_kernel_says_what_is_available)
{
    begin("plain");
    put("proc/meminfo", "MemTotal:  100 kB\nMemAvailable:    50 kB\nBuffers: 1 kB\n");
    ck_assert(machine_memory(root) == 50 * 1024);
}
END_TEST

START_TEST(a_group_allows_less_and_files_it_can_drop_count_as_free)
{
    begin("group");
    put("proc/meminfo", "MemAvailable: 50 kB\n");
    put("proc/self/cgroup", "0::/a/b\n");
    put("sys/fs/cgroup/a/b/memory.max", "30000\n");
    put("sys/fs/cgroup/a/b/memory.current", "10000\n");
    put("sys/fs/cgroup/a/b/memory.stat", "anon 1\ninactive_file 4000\n");
    ck_assert(machine_memory(root) == 24000);
    /* One above it allows less. */
    put("sys/fs/cgroup/a/memory.max", "9000\n");
    put("sys/fs/cgroup/a/memory.current", "8000\n");
    ck_assert(machine_memory(root) == 1000);
    put("sys/fs/cgroup/a/memory.max", "max\n");
    put("sys/fs/cgroup/a/b/memory.max", "max\n");
    ck_assert(machine_memory(root) == 50 * 1024);
}
END_TEST

START_TEST(a_container_has_its_group_at_the_top)
{
    begin("container");
    put("proc/meminfo", "MemAvailable: 50 kB\n");
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/memory.max", "3000\n");
    put("sys/fs/cgroup/memory.current", "1000\n");
    ck_assert(machine_memory(root) == 2000);
    put("sys/fs/cgroup/memory.current", "4000\n");
    ck_assert(machine_memory(root) == 0);
}
END_TEST

START_TEST(groups_of_version_1_count_too)
{
    begin("old");
    put("proc/meminfo", "MemAvailable: 50 kB\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "3000\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
    put("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 500\n");
    ck_assert(machine_memory(root) == 2500);
}
END_TEST

START_TEST(a_system_that_says_nothing_has_no_limit)
{
    begin("silent");
    ck_assert(isinf(machine_memory(root)));
    ck_assert(isinf(machine_disk("/no/such/folder/x.h5")));
}
END_TEST

START_TEST(this_machine_has_memory_and_room)
{
    ck_assert(machine_memory("") > 1e6);
    ck_assert(machine_disk(support_path("x.h5")) > 1e4);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("machine");
    TCase *tests = tcase_create("machine");
    tcase_add_test(tests, the_kernel_says_what_is_available);
    tcase_add_test(tests, a_group_allows_less_and_files_it_can_drop_count_as_free);
    tcase_add_test(tests, a_container_has_its_group_at_the_top);
    tcase_add_test(tests, groups_of_version_1_count_too);
    tcase_add_test(tests, a_system_that_says_nothing_has_no_limit);
    tcase_add_test(tests, this_machine_has_memory_and_room);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
