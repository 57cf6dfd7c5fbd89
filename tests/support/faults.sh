# SPDX-License-Identifier: MIT
# What the tests of failing calls share: a command is run again and again, each time with another one of its calls
# to the system failing. Sourced with rowmax, the source folder and rowmax_faulty as arguments. Some calls are tried;
# ROWMAX_FAULTS=all tries every one, and few half as many, for the sanitizers: they take four times as long.
. "$2/tests/support/cli.sh"
FAULTY=$3
export OPENBLAS_NUM_THREADS=1
FAULTS_FIRST=4
FAULTS_SPREAD=6
[ "${ROWMAX_FAULTS:-}" != few ] || FAULTS_FIRST=2 FAULTS_SPREAD=3

# scene NAME ARGUMENTS...: the command that is tried in copies of the folder NAME/begin; good/ is how it ends.
# STATUS is what it gives when nothing fails, 0 unless set before.
scene() {
  SCENE=$1
  shift
  ARGUMENTS=("$@")
  rm -rf "$SCENE/good"
  cp -r "$SCENE/begin" "$SCENE/good"
  in_folder good "" "${ARGUMENTS[@]}"
  [ $GOT = "${STATUS:-0}" ] || fail "$SCENE: '${ARGUMENTS[*]}' gave status $GOT"
  mv out good.out
}

# in_folder FOLDER FAULT ARGUMENTS...: GOT is the status. SEARCH stands for PATH.
in_folder() {
  local folder=$1 fault=$2
  shift 2
  (cd "$SCENE/$folder" && PATH=${SEARCH:-$PATH} FAULT=$fault FAULT_COUNT=$WORK/count "$FAULTY" "$@" >"$WORK/out" 2>"$WORK/err" </dev/null)
  GOT=$?
}

# points COUNT: which calls are tried.
points() {
  local step=$((($1 - FAULTS_FIRST) / FAULTS_SPREAD + 1)) k
  [ "${ROWMAX_FAULTS:-}" != all ] || step=1
  for ((k = 1; k <= $1; k += k < FAULTS_FIRST ? 1 : step)); do echo $k; done
}

# Every file is as it was or as it should become; a new history may be empty, and journals and locks are left to the next run.
whole() {
  local file
  while read -r file; do
    cmp -s "$SCENE/tried/$file" "$SCENE/good/$file" || cmp -s "$SCENE/tried/$file" "$SCENE/begin/$file" ||
      fail "$SCENE, $1: '$file' is neither the old file nor the new one"
  done < <(cd "$SCENE/tried" && find . -type f ! \( -name h.jsonl -size 0 \) ! -name '*.journal' ! -name '*.lock' ! -name '*.timing' ! -name 'v.*')
  # What check says of its own failure, for whoever reads documents.
  [ ! -e "$SCENE/tried/v.json" ] || [ "$(tail -c 2 "$SCENE/tried/v.json")" = "}" ] || fail "$SCENE, $1: 'v.json' is cut"
  [ ! -e "$SCENE/tried/v.xml" ] || [ "$(tail -c 14 "$SCENE/tried/v.xml")" = "</testsuites>" ] || fail "$SCENE, $1: 'v.xml' is cut"
}

# finished CALL: all is as it should become.
finished() {
  diff -rq -x '*.lock' -x '*.timing' "$SCENE/tried" "$SCENE/good" >differences || fail "$SCENE, $1: $(head -3 differences)"
}

# each KIND STATUS...: lets each call of the kind fail. With LOOSE standard output may differ: it holds estimates. The command ends with one of the statuses and one line, or as
# if nothing had happened; every file is whole; run again it ends as it should.
each() {
  local kind=$1 count k
  shift
  rm -rf "$SCENE/tried"
  cp -r "$SCENE/begin" "$SCENE/tried"
  in_folder tried "$kind:0" "${ARGUMENTS[@]}"
  count=$(cat count)
  [ "$count" -gt 0 ] || fail "$SCENE: nothing to fail"
  for k in $(points "$count"); do
    rm -rf "$SCENE/tried"
    cp -r "$SCENE/begin" "$SCENE/tried"
    in_folder tried "$kind:$k" "${ARGUMENTS[@]}"
    case " ${STATUS:-0} $* " in
    *" $GOT "*) ;;
    *) fail "$SCENE, $kind:$k gave status $GOT" ;;
    esac
    if [ $GOT = "${STATUS:-0}" ]; then
      [ -n "${LOOSE:-}" ] || cmp -s out good.out || fail "$SCENE, $kind:$k tells something else on standard output"
      finished "$kind:$k"
      continue
    else
      # Warnings are said beside.
      [ "$(grep -vcE '\.timing|: warning:' err)" = 1 ] || fail "$SCENE, $kind:$k does not say one line"
    fi
    if [ $GOT = 3 ]; then
      # Memory that a single run lacked makes it a failed one, which runs again when asked to.
      in_folder tried "" "${ARGUMENTS[@]}" --retry-failed
    else
      whole "$kind:$k"
      in_folder tried "" "${ARGUMENTS[@]}"
    fi
    [ $GOT = "${STATUS:-0}" ] || fail "$SCENE after $kind:$k: run again it gave status $GOT"
    finished "$kind:$k and again"
  done
  echo "$SCENE: $kind, $count calls"
}
