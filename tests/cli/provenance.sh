# SPDX-License-Identifier: MIT
# Where results come from: the commit of the build, show --provenance, --require-provenance.
. "$2/tests/support/cli.sh"

run 0 run small.yaml -o a.h5 -q
run 0 show a.h5 --provenance
for fact in rowmax_version commit sweep_sha256 processor cpu_features cpu_level cpu_level_from blas numerics compiler compiler_flags libc hdf5 libyaml \
  zlib jansson plan_sha256; do
  [ "$(grep -c "^$fact  *[^ ]" out)" = 1 ] || fail "--provenance lacks $fact"
done
[ "$(awk '{print index($0, $2)}' out | sort -u | wc -l)" = 1 ] || fail "the values are not aligned"
prints "sweep_sha256    $(sha256sum <small.yaml | cut -d' ' -f1)"
grep -qE '^numerics +[0-9a-f]{16}$' out || fail "no fingerprint of the arithmetic"
commit=$(sed -n 's/^commit *//p' out)
"$ROWMAX" version | grep -qF "commit $commit" || fail "'rowmax version' says another commit"

run 0 help run && grep -q -- "--require-provenance .*commits of this program and of runs at hand" out ||
  fail "the help of --require-provenance leaves out the runs at hand"

# What this program was built from decides; both ways are right somewhere.
if printf %s "$commit" | grep -qE '^[0-9a-f]{12,}$'; then
  run 0 run small.yaml -o b.h5 -q --require-provenance
else
  run 2 run small.yaml -o b.h5 -q --require-provenance && one_line && says "the commit of this program is $commit"
  absent b.h5
fi

# Who runs nothing is not named; who adds runs is named beside those before, also through a kill.
fact() { "$ROWMAX" show "$1" --provenance | sed -n "s/^$2  *//p"; }
wants() { [ "$1" = "$2" ] || fail "'$1', wanted '$2'"; }
level=$(fact a.h5 cpu_level)
if [ "$level" != plain ]; then
  cp a.h5 before.h5
  ROWMAX_CPU=plain run 0 run small.yaml -o a.h5
  says "a.h5: not all of its runs were made by this program on this machine, see cpu_level, numerics in" && says "--fresh runs them again"
  same a.h5 before.h5
  ROWMAX_CPU=plain run 0 run small.yaml -o plain.h5 -q
  run 1 check plain.h5 --against a.h5 --strict-host
  run 0 run small.yaml -o plain.h5 -q
  run 1 check plain.h5 --against a.h5 --strict-host
  ROWMAX_CPU=plain run 0 run small.yaml -o a.h5 --set seed=[1,2,3]
  says "a.h5: its runs were not all made alike; the file names all values of cpu_level, numerics"
  wants "$(fact a.h5 cpu_level)" "$level | plain"
  wants "$(fact a.h5 cpu_level_from)" "ROWMAX_CPU | processor"
  run 0 run small.yaml -o a.h5 -q --set seed=[1,2,3,4]
  wants "$(fact a.h5 cpu_level)" "$level | plain"
  long_sweep
  ROWMAX_CPU=plain kill_run killed.h5 3000 long.yaml
  wants "$(fact killed.h5 cpu_level)" plain
  cp killed.h5.journal lost.h5.journal
  run 0 run long.yaml -o killed.h5 -q
  wants "$(fact killed.h5 cpu_level)" "$level | plain"
  run 0 run long.yaml -o lost.h5 -q --recover found.h5
  wants "$(fact found.h5 cpu_level)" "$level | plain"
  same found.h5 killed.h5
  run 0 run small.yaml -o a.h5 --fresh
  same a.h5 before.h5
  ! grep -q "made" err || fail "one program is told of as several"
fi

# A library that some runs did without makes no difference; nor does who has nothing left in the file.
run 0 run small.yaml -o grown.h5 -q --set learner=random
wants "$(fact grown.h5 blas)" "not used"
run 0 run small.yaml -o grown.h5 --set learner=[random,count-svd]
! grep -q "made" err || fail "a library that is not used is a difference"
run 0 run small.yaml -o once.h5 -q --set learner=[random,count-svd]
same grown.h5 once.h5
ROWMAX_CPU=plain run 0 run small.yaml -o again.h5 -q --set measures=[score_std]
ROWMAX_CPU= run 0 run small.yaml -o again.h5
wants "$(fact again.h5 cpu_level)" "$level"
! grep -q "made" err || fail "who made no run of the file is told of"

# Runs of which nothing tells who made them stay so.
/usr/bin/python3 - <<'EOT'
import h5py
with h5py.File("grown.h5", "r+") as file:
    del file.attrs["commit"]
EOT
run 0 run small.yaml -o grown.h5 -q --set learner=[random,count-svd] --set 'seed=[1,2,3]'
case "$(fact grown.h5 commit)" in
  *" | unknown" | "unknown"*) ;;
  *) fail "the commit of unknown runs is $(fact grown.h5 commit)" ;;
esac

# A terminal is not driven by a value.
/usr/bin/python3 - <<'EOT'
import h5py
with h5py.File("a.h5", "r+") as file:
    file.attrs["processor"] = "\x1b[31mred"
EOT
run 0 show a.h5 --provenance && prints "processor       ?[31mred"

# The commit, as the build asks for it.
commit_of() { # what a build of the folder $1 states, with the rest of the arguments before cmake
  local folder=$1
  shift
  "$@" cmake -DSOURCE="$folder" -DOUT="$WORK/commit.c" -DFLAGS="-O2 \"x\"" -P "$SOURCE/cmake/commit.cmake" >cmake.log 2>&1 ||
    fail "the build step fails: $(cat cmake.log)"
  sed -n 's/.*build_commit = "\(.*\)";/\1/p' commit.c
}
wants() { [ "$1" = "$2" ] || fail "the commit is '$1', wanted '$2'"; }
mkdir tree
wants "$(commit_of "$WORK/tree")" "unknown (no git checkout)"
grep -qF 'build_flags = "-O2 x";' commit.c || fail "the flags are not a C text"
if command -v git >/dev/null; then
  export HOME=$WORK GIT_CONFIG_NOSYSTEM=1
  git init -q tree
  wants "$(commit_of "$WORK/tree")" "unknown (git names no commit)"
  mkdir -p tree/src/report tree/cmake tree/reports
  echo one | tee tree/src/report/file tree/cmake/file tree/CMakeLists.txt tree/reports/file >tree/file
  git -C tree add .
  git -C tree -c user.name=n -c user.email=e commit -qm one
  hash=$(git -C tree rev-parse --short=12 HEAD)
  wants "$(commit_of "$WORK/tree")" "$hash"
  touch -d '2001-01-01' commit.c
  commit_of "$WORK/tree" >/dev/null
  [ "$(date -r commit.c +%Y)" = 2001 ] || fail "an unchanged commit touches its source"
  echo new >tree/other # a file that git does not know is no change of the source
  wants "$(commit_of "$WORK/tree")" "$hash"
  wants "$(GIT_DIR=/nowhere commit_of "$WORK/tree")" "$hash"
  echo two | tee tree/reports/file >tree/file # nor are a report that is written anew and other files
  wants "$(commit_of "$WORK/tree")" "$hash"
  for changed in src/report/file cmake/file CMakeLists.txt; do
    echo two >"tree/$changed"
    wants "$(commit_of "$WORK/tree")" "$hash-dirty"
    git -C tree checkout -q "$changed"
  done
  git -C tree rm -q src/report/file
  wants "$(commit_of "$WORK/tree")" "$hash-dirty"
  mkdir -p tree/inner
  wants "$(commit_of "$WORK/tree/inner")" "unknown (no git checkout)" # a tarball inside a checkout
  # As git ends for a folder of another owner.
  mkdir bin
  printf '#!/bin/sh\necho "fatal: detected dubious ownership in repository" >&2\nexit 128\n' >bin/git
  chmod +x bin/git
  wants "$(commit_of "$WORK/tree" env PATH="$WORK/bin:$PATH")" "unknown (git refuses a folder of another owner)"
  rm bin/git
  ln -s "$(command -v cmake)" bin/cmake
  wants "$(commit_of "$WORK/tree" env PATH="$WORK/bin")" "unknown (no git here)"
fi
exit $FAILED
