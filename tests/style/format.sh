#!/usr/bin/env bash
# clang-format, checked and not argued.
set -euo pipefail
cd "$1"
clang-format --dry-run -Werror src/*.c src/*/*.[ch] bench/*.c tests/support/*.[ch] tests/unit/*/*.c
