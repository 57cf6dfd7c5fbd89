# SPDX-License-Identifier: MIT
# What is installed: all of it, nothing else, and it runs from wherever it was put, in an empty home and folder. The same
# for the package for Debian, whose fields say what it needs.
. "$2/tests/support/cli.sh"
BUILD=$(dirname "$ROWMAX")
unset ROWMAX_CORPORA
# HDF5 is a library of the system, or a part of the program whose notice then comes along.
HDF5=$(readelf -d "$ROWMAX" | grep -o 'libhdf5' | head -1)

# away PREFIX: an installed experiment runs and reports, though nothing but the prefix is known.
away() {
  rm -rf home empty
  mkdir home empty
  (cd empty && env -i HOME="$WORK/home" PATH=/usr/bin:/bin "$1/bin/rowmax" run nightly --report) >out 2>err ||
    fail "an installed experiment does not run from '$1'"
  [ -s empty/results/nightly.h5 ] && [ -s empty/reports/nightly/report.md ] || fail "no results or no report from '$1'"
  (cd empty && env -i HOME="$WORK/home" PATH=/usr/bin:/bin "$1/bin/rowmax" plan worked) >out 2>err ||
    fail "an experiment with arrays beside it is not found in '$1'"
  for sweep in "$1"/share/rowmax/experiments/*.yaml; do
    [ -s "$(dirname "$sweep")/$(sed -n '1s/^# yaml-language-server: \$schema=//p' "$sweep")" ] || fail "'$sweep' names no schema"
  done
  [ -z "$(ls -A home)" ] || fail "something was written to the home folder"
}

# Everything that comes with the program, by the folder it lands in.
wanted() {
  (
    cd "$SOURCE" || exit 1
    find corpora experiments -type f | sed 's#^#share/rowmax/#'
    find docs -maxdepth 1 -name '*.md' -o -maxdepth 1 -name '*.yml' -o -maxdepth 1 -name '*.svg' | sed 's#^#share/doc/rowmax/#'
    find reports/scale-guards -type f | sed 's#^#share/doc/rowmax/#'
    find docs/schema -type f | sed 's#^#share/rowmax/#'
  )
  printf '%s\n' bin/rowmax share/man/man1/rowmax.1.gz share/doc/rowmax/changelog.gz share/doc/rowmax/copyright \
    share/doc/rowmax/{README.md,CHANGELOG.md,CONTRIBUTING.md,LICENSE,corpora,experiments,docs/schema}
  [ -n "$HDF5" ] || echo share/doc/rowmax/copyright.hdf5
  if "$ROWMAX" completion bash >/dev/null 2>&1; then
    printf 'share/%s\n' bash-completion/completions/rowmax fish/vendor_completions.d/rowmax.fish "$1/_rowmax"
  fi
}

cmake --install "$BUILD" --prefix "$WORK/first" >out 2>err || fail "cmake --install failed"
wanted zsh/site-functions | sort -u >wanted.txt
(cd first && find . -type f -o -type l | sed 's#^\./##' | sort) >there.txt
same wanted.txt there.txt
diff wanted.txt there.txt
for sweep in first/share/rowmax/experiments/*.yaml; do
  schema=$(sed -n '1s/^# yaml-language-server: \$schema=//p' "$sweep")
  [ -s "first/share/rowmax/experiments/$schema" ] || fail "the schema that '$sweep' names is not installed"
done
away "$WORK/first"
# linked PREFIX: no link of a page is dead; what would be has kept its words alone.
linked() {
  find "$1/share" -name '*.md' >pages.txt
  [ "$(wc -l <pages.txt)" -ge 15 ] || fail "there are few pages in '$1'"
  while read -r page; do
    for target in $(grep -oE '\]\([^)#:]+[)#]' "$page" | tr -d '()#]'); do
      [ -e "$(dirname "$page")/$target" ] || fail "'$page' names '$target', which is not installed"
    done
  done <pages.txt
  grep -q '\[docs/ci.md\](docs/ci.md)' "$1/share/doc/rowmax/README.md" || fail "a page has lost a link that is not dead"
  grep -qF 'rises (softmax_stream.c).' "$1/share/doc/rowmax/docs/performance.md" || fail "the words of a link are gone"
  grep -q 'permission notice' "$1/share/doc/rowmax/LICENSE" || fail "there is no licence"
}
linked "$WORK/first"
mkdir "a place"
mv first "a place/second"
away "$WORK/a place/second"
zcat "a place/second/share/man/man1/rowmax.1.gz" | cmp -s - "$SOURCE/docs/rowmax.1" || fail "the manual is another one"

# The name of an experiment that is none, and one here that goes before the installed one.
run 2 plan growht && one_line && says "there is no file 'growht'"
# Pages name experiments as they lie in a checkout. The remedy is taken at its word.
for path in experiments/nightly.yaml experiments/nightly ./elsewhere/nightly.yaml nightly.yaml; do
  for command in run plan; do
    ROWMAX="$WORK/a place/second/bin/rowmax" run 2 $command $path && one_line && says "there is no file '$path'; the experiment 'nightly' runs by its name: rowmax $command nightly"
  done
done
for path in nihgtly nihgtly.yaml experiments/nihgtly experiments/nihgtly.yaml; do
  ROWMAX="$WORK/a place/second/bin/rowmax" run 2 run $path && one_line && says "there is no file '$path'; did you mean the experiment 'nightly'?"
done
ROWMAX="$WORK/a place/second/bin/rowmax" run 2 run elsewhere/xyzzyqqq.yaml && one_line && says "cannot open 'elsewhere/xyzzyqqq.yaml'"
mkdir experiments
cp small.yaml experiments/growth.yaml
# Where the file lies in the folder that was named, that is meant.
run 2 plan experiments/growth && one_line && says "there is no file 'experiments/growth'; did you mean 'experiments/growth.yaml'?"
run 2 plan experiments/growht.yaml && one_line && says "there is no file 'experiments/growht.yaml'; did you mean 'experiments/growth.yaml'?"
run 2 plan smal.yaml && one_line && says "there is no file 'smal.yaml'; did you mean 'small.yaml'?"
run 2 plan smal && one_line && says "there is no file 'smal'; did you mean 'small.yaml'?"
ROWMAX_CORPORA=$SOURCE/corpora run 0 plan growth && prints "16 runs"
rm -r experiments

# Without these programs cpack would make a package that names no library.
cmake -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF \
  -P "$SOURCE/cmake/package_tools.cmake" >out 2>err && fail "cpack would go on without its programs"
tr -s ' \n' ' ' <err | grep -q "'scripts/setup package' installs it" || fail "no remedy: $(cat err)"
(cd "$BUILD" && cpack -B "$WORK/packed") >out 2>err || fail "cpack failed"
set -- packed/*.deb
[ $# = 1 ] && [ -s "$1" ] || fail "not one package"
package=$1
field() { dpkg-deb -f "$package" "$1"; }
version=$(sed -n 's/^project(rowmax VERSION \([0-9.]*\).*/\1/p' "$SOURCE/CMakeLists.txt")
[ "$(field Package)" = rowmax ] || fail "the package is called '$(field Package)'"
[ "$(field Version)" = "$version" ] || fail "the package has version '$(field Version)', not $version"
[ "$(field Section) $(field Priority)" = "science optional" ] || fail "section and priority are wrong"
[ "$(field Architecture)" = "$(dpkg --print-architecture)" ] || fail "the architecture is wrong"
for need in 'gnuplot-nox | gnuplot' 'fonts-dejavu-core |' ${HDF5:-libc6} libopenblas libyaml-0-2 libc6 libarpack2 libjansson4 zlib1g; do
  case $(field Depends) in *"$need"*) ;; *) fail "the package does not need $need: $(field Depends)" ;; esac
done
[ "$(field Description | head -1 | wc -c)" -le 80 ] && [ "$(field Description | wc -l)" -ge 5 ] || fail "no description of two parts"
dpkg-deb --fsys-tarfile "$package" | tar -t | sed -n 's#^\./usr/\(.*[^/]\)$#\1#p' | sort >there.txt
wanted zsh/vendor-completions | sort -u >wanted.txt
same wanted.txt there.txt
diff wanted.txt there.txt
dpkg-deb --fsys-tarfile "$package" | tar -tv | grep -vE '^(d|-)rwxr-xr-x root/root|^-rw-r--r-- root/root|^lrwxrwxrwx root/root' && fail "odd owners or rights"
dpkg -x "$package" unpacked
linked "$WORK/unpacked/usr"
away "$WORK/unpacked/usr"
exit $FAILED
