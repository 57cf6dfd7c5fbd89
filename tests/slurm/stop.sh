#!/usr/bin/env bash
# Ends what start.sh has started in FOLDER, jobs first, and no other process.
#   stop.sh FOLDER
set -u
folder=$(cd "$1" 2>/dev/null && pwd) || exit 0
[ -f "$folder/processes" ] || exit 0
export SLURM_CONF=$folder/slurm.conf PATH=$PATH:/usr/sbin:/sbin

# The number may be another process's by now; ours have the folder in their arguments.
is_ours() { grep -qF -- "$folder/" "/proc/$1/cmdline" 2>/dev/null; }
signal_all() { # SIGNAL NAME-PREFIX; true while one is left
  local process name left=1
  while read -r process name; do
    case $name in
      "$2"*) if is_ours "$process"; then kill "-$1" "$process" 2>/dev/null; left=0; fi ;;
    esac
  done <"$folder/processes"
  return $left
}

if timeout 3 scontrol ping >/dev/null 2>&1; then
  timeout 3 scancel -u "$(id -un)" >/dev/null 2>&1
  for _ in $(seq 40); do
    [ -n "$(timeout 3 squeue -h 2>/dev/null)" ] || break
    sleep 0.1
  done
fi
for name in slurmd- slurmctld munged; do
  signal_all TERM $name
  for _ in $(seq 30); do
    signal_all 0 $name || break
    sleep 0.1
  done
  signal_all KILL $name
done
rm -f "$folder/processes"
