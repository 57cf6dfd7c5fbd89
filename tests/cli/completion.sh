# SPDX-License-Identifier: MIT
# Completion in bash, zsh and fish: what each offers, and what it makes of a line when the tab key is pressed.
. "$2/tests/support/cli.sh"

for shell in bash zsh fish; do
  run 0 completion $shell && [ ! -s err ] || fail "completion $shell"
  cp out $shell.script
  $shell -n $shell.script || fail "the script for $shell has faults"
done
run 2 completion tcsh && one_line && says "no completion for 'tcsh'; there is one for bash, zsh and fish"
run 2 completion && one_line && says "SHELL is missing"

# bash: offers LINE WANTED...: exactly these words.
cat >offer.bash <<'EOT'
source ./bash.script
COMP_LINE=$1 COMP_POINT=${#1}
_rowmax
printf '%s\n' "${COMPREPLY[@]}"
EOT
offers() {
  local line=$1
  shift
  bash offer.bash "$line" | sort >offered
  { [ $# = 0 ] && echo || printf '%s\n' "$@"; } | sort >wanted
  same wanted offered || diff wanted offered
}

# fish says what it would offer.
fish_offers() {
  fish -c "source fish.script; complete -C '$1'" 2>err | cut -f1 >offered
  grep -qxF -- "$2" offered || fail "fish does not offer '$2' for '$1'"
}

mkdir below
touch below/a.yaml b.yml c.txt d.h5
rm small.yaml
offers "rowmax ru" run
offers "rowmax run --pro" --progress
offers "rowmax run --progress " auto bar plain none
offers "rowmax run --progress=b" bar
offers "rowmax run --set d_" d_k= d_model=
offers "rowmax run --set norm=" layer rms
offers "rowmax plan --set=stabilise=o" on off
offers "rowmax plan --set guards=init+" init+scale init+norm init+scale+norm
offers "rowmax plan --set keep=" scores weights
offers "rowmax plan --set saturation" saturation.row_max= saturation.gradient=
offers "rowmax plan --set d_k="
offers "rowmax report --format " svg png pdf
offers "rowmax report --format svg,p" svg,png svg,pdf
offers "rowmax theory --format " text json
offers "rowmax export --format=js" json jsonl
offers "rowmax export --where st" status= stabilise=
offers "rowmax export --where status=" ok failed
offers "rowmax export --fields run,stat" run,status
offers "rowmax submit --engine " slurm
offers "rowmax properties --weights so" softmax softmax_plus_one softplus
offers "rowmax run -j "
offers "rowmax run " below b.yml
offers "rowmax run below/" below/a.yaml
offers "rowmax status " below
offers "rowmax check d.h5 --against " below d.h5
offers "rowmax help entropy" entropy_mean entropy_normalised_mean
offers "rowmax completion " bash zsh fish
offers "rowmax nothing "

# Experiments by name, those here and those that were installed with the program.
mkdir -p there/bin there/share/rowmax/experiments experiments
ln -s "$ROWMAX" there/bin/rowmax
touch there/share/rowmax/experiments/{growth,gro-wth}.yaml experiments/{grown,grown-up}.yaml
PATH="$WORK/there/bin:$PATH" offers "rowmax plan g" gro-wth growth grown grown-up
PATH="$WORK/there/bin:$PATH" fish_offers "rowmax run g" growth
PATH="$WORK/there/bin:$PATH" fish_offers "rowmax run g" grown

# Whatever the help knows is offered: commands, their options, fields, measures, keys.
commands=$("$ROWMAX" help | awk '/^  [a-z]+ /{print $1}')
offers "rowmax " $commands --help --version
for command in $commands; do
  offers "rowmax $command --" --help $("$ROWMAX" help $command | grep -oE '^  (-[a-z], |    )--[a-z-]+' | grep -oE -- '--[a-z-]+')
done
fields=$("$ROWMAX" fields | awk -F'\t' '$2 == "set" && $1 !~ /^saturation_/ {print $1 "="}')
offers "rowmax run --set " $fields guards= name= title= keep= measures= saturation.row_max= saturation.gradient=
measures=$("$ROWMAX" fields | awk -F'\t' '$2 == "measured" {print $1}')
offers "rowmax run --set measures=" $measures all
"$ROWMAX" fields | awk -F'\t' '$3 == "choice" || $3 == "on/off" {print $1, $4}' >choices
while read -r field values; do
  offers "rowmax run --set $field=" ${values//|/ }
done <choices
[ "$(wc -l <choices)" -ge 15 ] || fail "there are few choices"
bash offer.bash "rowmax help " >offered
for topic in $commands rowmax include grid d_k guards row_max_mean; do
  grep -qx "$topic" offered || fail "'help' does not offer $topic"
done

fish_offers "rowmax ru" run
fish_offers "rowmax run --prog" --progress
fish_offers "rowmax run --progress p" plain
fish_offers "rowmax run --set norm=r" norm=rms
fish_offers "rowmax run --set learner_" learner_seed=
fish_offers "rowmax report --format svg,p" svg,png
fish_offers "rowmax theory --format " json
fish_offers "rowmax run " b.yml
fish_offers "rowmax check d" d.h5
fish_offers "rowmax export --where status=f" status=failed
fish_offers "rowmax help entropy_n" entropy_normalised_mean
for command in $commands; do
  fish_offers "rowmax ${command%?}" $command
done

# bash and zsh at a terminal: a tab completes the line.
mkdir functions
cp zsh.script functions/_rowmax
cat >type.py <<'EOT'
import os
import pty
import select
import signal
import sys
import time

os.environ.update(TERM="dumb", PS1="READY ", PATH=os.getcwd() + "/there/bin:" + os.environ["PATH"])
shell = sys.argv[1]
arguments = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"]}[shell]
child, terminal = pty.fork()
if child == 0:
    os.execvp(shell, [shell] + arguments)
seen = ""


def expect(text):
    """Reads until the text is there, within some minutes: the machine may be busy."""
    global seen
    end = time.monotonic() + 200
    while text not in seen:
        if time.monotonic() > end or not select.select([terminal], [], [], 200)[0]:
            sys.exit(f"{shell}: wanted {text!r}, there is {seen!r}")
        seen += os.read(terminal, 65536).decode(errors="replace")
    seen = seen.split(text, 1)[1]


expect("READY ")
setup = {
    "bash": "source ./bash.script; bind 'set bell-style none'",
    "zsh": "fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -d $PWD/dump; PS1='READY '",
}[shell]
os.write(terminal, (setup + "; echo SET''UP\n").encode())
expect("SETUP")
expect("READY ")
for typed, wanted in (
    ("rowmax ru", "rowmax run "),
    ("rowmax run --set norm=la", "norm=layer"),
    ("rowmax run --set=stabilise=of", "--set=stabilise=off"),
    ("rowmax run --set learner_s", "learner_seed="),
    ("rowmax report --format=svg,pn", "--format=svg,png"),
    ("rowmax check --against d", "--against d.h5"),
    ("rowmax run be", "rowmax run below/"),
    ("rowmax plan grown-", "rowmax plan grown-up"),
    ("rowmax run gro-", "rowmax run gro-wth"),
    ("rowmax run --prog", "--progress"),
    ("rowmax help entropy_n", "entropy_normalised_mean"),
):
    os.write(terminal, (typed + "\t").encode())
    expect(wanted)
    os.write(terminal, b"\x15")  # the line is taken back, none is run
os.kill(child, signal.SIGKILL)
EOT
for shell in bash zsh; do
  timeout 250 /usr/bin/python3 type.py $shell >out 2>err || fail "$shell does not complete"
done
exit $FAILED
