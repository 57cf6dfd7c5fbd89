/* SPDX-License-Identifier: MIT */
/* rowmax doctor: whether this machine can do the job, one line a check, with the remedy. */
#include "base/processor.h"
#include "base/text.h"
#include "cli/cli_internal.h"
#include "cli/doctor.h"
#include "numeric/lapack.h"
#include "report/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define ORDER ((size_t)96)

void doctor_tell(enum verdict verdict, const char *what, const char *format, ...)
{
    static const char *const words[] = {
        [VERDICT_FAIL] = "FAIL", [VERDICT_OK] = "ok", [VERDICT_NOTE] = "note"};
    char detail[1024];
    char safe[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    printf("%-5s %-10s %s\n", words[verdict], what, text_printable(detail, safe, sizeof safe));
}

/* A product whose every element is known: (i + 1) (j + 1) summed over ORDER terms of 1/ORDER. */
static bool check_blas(const struct lapack *lapack, struct arena *arena, struct error *err)
{
    double *a = arena_alloc(arena, ORDER * ORDER, sizeof *a, err);
    double *b = arena_alloc(arena, ORDER * ORDER, sizeof *b, err);
    double *c = arena_alloc(arena, ORDER * ORDER, sizeof *c, err);
    if (a == NULL || b == NULL || c == NULL) {
        return false;
    }
    for (size_t i = 0; i < ORDER; i++) {
        for (size_t j = 0; j < ORDER; j++) {
            a[i * ORDER + j] = (double)(i + 1) / (double)ORDER;
            b[i * ORDER + j] = (double)(j + 1);
        }
    }
    const int order = (int)ORDER;
    const double one = 1;
    const double none = 0;
    /* By columns, cᵀ = bᵀ aᵀ. */
    lapack->dgemm("N", "N", &order, &order, &order, &one, b, &order, a, &order, &none, c, &order, 1,
                  1);
    bool good = true;
    for (size_t i = 0; i < ORDER; i++) {
        for (size_t j = 0; j < ORDER; j++) {
            double exact = (double)(i + 1) * (double)(j + 1);
            good = good && fabs(c[i * ORDER + j] - exact) <= 1e-12 * exact;
        }
    }
    return good;
}

static void doctor_blas(struct health *health, struct arena *arena)
{
    struct error err = ERROR_INIT;
    struct lapack lapack;
    struct arpack arpack;
    char name[LAPACK_NAME_SIZE];
    if (!lapack_load(&lapack, &err) || !arpack_load(&arpack, &err)) {
        doctor_tell(VERDICT_FAIL, "blas", "%s", err.message);
        health->all = false;
        return;
    }
    bool good = check_blas(&lapack, arena, &err);
    doctor_tell(good ? VERDICT_OK : VERDICT_FAIL, "blas", "%s, %s", lapack_name(&lapack, name),
                good ? "known products right"
                     : "a product came out wrong; choose another kernel with OPENBLAS_CORETYPE");
    health->all = health->all && good;
}

/* A folder to try things in; NULL when this one cannot be written. */
static const char *make_trial_folder(char path[32])
{
    snprintf(path, 32, "./rowmax-doctor-XXXXXX");
    return mkdtemp(path);
}

/* The formats that cannot be drawn, and what remains. */
static bool doctor_terminals(const char *folder, struct arena *arena)
{
    struct error err = ERROR_INIT;
    unsigned missing = report_terminals("gnuplot", folder, arena, &err);
    if (missing == 0) {
        doctor_tell(VERDICT_OK, "terminals", "png, svg and pdf can be drawn");
        return true;
    }
    doctor_tell(VERDICT_FAIL, "terminals",
                "no%s%s%s (%s); apt-get install gnuplot-nox, or name the others with --format",
                (missing & REPORT_PNG) != 0 ? " png" : "",
                (missing & REPORT_SVG) != 0 ? " svg" : "",
                (missing & REPORT_PDF) != 0 ? " pdf" : "", err.message);
    return false;
}

static void doctor_gnuplot(struct health *health, const char *folder, struct arena *arena)
{
    struct error err = ERROR_INIT;
    const char *version = report_gnuplot_version("gnuplot", arena, &err);
    doctor_tell(version != NULL ? VERDICT_OK : VERDICT_FAIL, "gnuplot", "%s",
                version != NULL ? version : "not usable; apt-get install gnuplot-nox");
    health->figures = version != NULL;
    if (version == NULL || folder == NULL) {
        return;
    }
    bool terminals = doctor_terminals(folder, arena);
    bool drawn = report_probe("gnuplot", folder, arena, &err);
    doctor_tell(drawn ? VERDICT_OK : VERDICT_FAIL, "figures", "%s%s",
                drawn ? "a figure with text was drawn" : err.message,
                drawn ? "" : "; apt-get install fonts-dejavu-core fontconfig");
    health->figures = drawn && terminals;
}

/* What a run does with this folder. */
static void doctor_folder(struct health *health, const char *folder, struct arena *arena)
{
    if (folder == NULL) {
        doctor_tell(VERDICT_FAIL, "results", "this folder cannot be written; go to one that can");
        health->all = false;
        return;
    }
    bool locks = doctor_locks(folder, arena);
    health->all = doctor_run(folder, arena) && locks && health->all;
}

static void doctor_machine(struct health *health)
{
    struct statvfs disk;
    char free_space[40];
    bool known = statvfs(".", &disk) == 0;
    double bytes = known ? (double)disk.f_bavail * (double)disk.f_frsize : 0;
    bool enough = bytes > 1e8;
    doctor_tell(enough ? VERDICT_OK : VERDICT_FAIL, "disk", "%s free here%s",
                cli_bytes(bytes, free_space),
                enough ? "" : "; runs need 100 MB, make room or go elsewhere");
    doctor_tell(VERDICT_OK, "machine", "%ld processors, %s", sysconf(_SC_NPROCESSORS_ONLN),
                provenance_processor());
    doctor_tell(VERDICT_OK, "vectors", "level %s%s", processor_level_name(processor_level()),
                processor_is_forced() ? ", forced by ROWMAX_CPU" : "");
    health->all = health->all && enough;
}

bool command_doctor(const struct options *options, struct arena *arena, struct error *err)
{
    (void)options;
    struct health health = {true, true};
    char path[32];
    const char *folder = make_trial_folder(path);
    doctor_machine(&health);
    health.all = doctor_threads() && health.all;
    doctor_blas(&health, arena);
    doctor_folder(&health, folder, arena);
    doctor_gnuplot(&health, folder, arena);
    doctor_data(arena);
    if (folder != NULL) {
        rmdir(folder);
    }
    if (!health.all) {
        return error_set(err, ERROR_FILE, "something is not in order; see the lines above");
    }
    return health.figures || error_set(err, ERROR_FIGURES, "figures cannot be drawn; runs can");
}
