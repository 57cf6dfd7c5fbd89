# SPDX-License-Identifier: MIT
# The program as it was linked: what docs/security.md says of the build is read back from the file itself.
. "$2/tests/support/cli.sh"

readelf -hlW "$ROWMAX" >program 2>trouble || fail "readelf: $(cat trouble)"
readelf -dW "$ROWMAX" >dynamic
readelf -W --dyn-syms "$ROWMAX" >symbols

# has FILE PATTERN WHAT
has() { grep -qE -- "$2" "$1" || fail "$3"; }

has program 'Type: +DYN .*(Position-Independent|Shared object)' "the program is not position independent"
has program 'GNU_RELRO' "relocations stay writable (no RELRO)"
has dynamic '\(FLAGS_1\).* NOW' "functions are bound late (no BIND_NOW)"
has program 'GNU_STACK .* RW ' "the stack is executable"
! grep -qE 'LOAD .* (RWE|WE) ' program || fail "a segment is writable and executable"
# An empty entry is the current folder: a library there would be loaded in place of the system's.
! grep -qE '\((RPATH|RUNPATH)\).*(\[:|::|:\]|\[\]|ORIGIN|\[[^/])' dynamic || fail "libraries are searched in the current folder: $(grep -E 'R(UN)?PATH' dynamic)"
has symbols '__stack_chk_fail' "no stack protector"

# Sanitizers and coverage have checks of their own, and builds without optimisation none.
if ! grep -qE '__(asan|tsan|ubsan)_|__gcov' symbols; then
  has symbols ' __(memcpy|vsnprintf|snprintf|fprintf)_chk' "the C library's checks of sizes are off (_FORTIFY_SOURCE)"
fi
case $(uname -m) in
  x86_64)
    objdump -d --no-show-raw-insn --disassemble=cli_main "$ROWMAX" | grep -m1 -A1 '<cli_main>:' | grep -q endbr64 ||
      fail "indirect branches have no marked targets (-fcf-protection)"
    ;;
esac

# The same by experiment: a library in the current folder is not loaded.
for library in libyaml-0.so.2 libz.so.1 libopenblas.so.0; do
  echo "no library" >$library
done
run 0 version

# A library that cannot be loaded: no run can do without it, so none is begun and none is stored as failed. ARPACK is asked for
# where a text has more words than LAPACK takes at once.
/usr/bin/python3 -c 'for i in range(600): print(f"w{i} w{i * 7 % 600} w{i * i % 600}.")' >words.txt
printf '%s\n' 'rowmax: 1' 'name: words' 'fixed: {corpus: words.txt, sentence: w1 w2 w3}' 'grid: {seed: {from: 1, to: 8}}' >words.yaml
mkdir broken
for pair in openblas:libopenblas.so.0:libopenblas0 arpack:libarpack.so.2:libarpack2; do
  IFS=: read -r name library package <<<"$pair"
  echo "no library" >broken/$library
  LD_LIBRARY_PATH=$WORK/broken run 5 run words.yaml -o $name.h5 -q && one_line && says "cannot load '$library': " && says "; apt-get install $package"
  absent $name.h5
  absent $name.h5.journal
  rm broken/$library
done
run 0 run words.yaml -o arpack.h5 && says "8 of 8 runs"
exit $FAILED
