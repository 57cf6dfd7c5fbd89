#!/usr/bin/env bash
# Starts Slurm in FOLDER, which must not exist, with NODES nodes of one processor on this machine and
# nothing else: no systemd, no control groups, no file outside of FOLDER. Afterwards SLURM_CONF is
# FOLDER/slurm.conf; stop.sh ends it. Status 1 with the daemons' complaints when it does not come up.
#   start.sh FOLDER NODES
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$1"
folder=$(cd "$1" && pwd)
nodes=$2
host=$(uname -n)
host=${host%%.*}
export PATH=$PATH:/usr/sbin:/sbin
mkdir "$folder"/{munge,state,spool,log}
chmod 755 "$folder" "$folder"/*

for program in munged slurmctld slurmd sbatch; do
  command -v $program >/dev/null || { echo "start.sh: $program is missing; scripts/setup tests installs it" >&2; exit 1; }
done

# A row of ports on which nobody listens, below those that outgoing connections get.
used() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
port=
for try in $(seq 0 49); do
  first=$((20000 + ($$ + try * 37) % 1200 * 10))
  for ((i = 0; i <= nodes; i++)); do ! used $((first + i)) || continue 2; done
  port=$first
  break
done
[ -n "$port" ] || { echo "start.sh: no free ports" >&2; exit 1; }

# Without this file slurmd looks for control groups and ends where there are none of the kind it knows.
echo CgroupPlugin=cgroup/v1 >"$folder/cgroup.conf"
{
  sed -e "s|{host}|$host|g; s|{folder}|$folder|g; s|{port}|$port|g; s|{user}|$(id -un)|g" "$here/slurm.conf"
  # The daemons listen on the address of the host's name only, where it has one.
  case $(getent ahostsv4 "$host" | head -n 1) in
    127.*) echo CommunicationParameters=NoCtldInAddrAny,NoInAddrAny ;;
  esac
  for ((i = 1; i <= nodes; i++)); do
    mkdir "$folder/spool/n$i"
    echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=1 RealMemory=200 State=UNKNOWN"
  done
  echo "PartitionName=all Nodes=ALL Default=YES DefaultTime=30 MaxTime=60 State=UP"
} >"$folder/slurm.conf"
export SLURM_CONF=$folder/slurm.conf

# begin NAME COMMAND...: in the background, in a session of its own; its id is noted.
begin() {
  local name=$1
  shift
  setsid "$@" >"$folder/log/$name.out" 2>&1 </dev/null &
  echo "$! $name" >>"$folder/processes"
}
give_up() {
  echo "start.sh: $1" >&2
  tail -n 15 "$folder"/log/* >&2 || true
  "$here/stop.sh" "$folder" || true
  exit 1
}

(umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
begin munged munged --foreground --force --num-threads=2 --key-file="$folder/munge/key" \
  --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" \
  --log-file="$folder/log/munged.log"
for _ in $(seq 100); do
  [ ! -S "$folder/munge/socket" ] || break
  sleep 0.05
done
begin slurmctld slurmctld -D -i -f "$SLURM_CONF"
for ((i = 1; i <= nodes; i++)); do
  begin "slurmd-n$i" slurmd -D -N "n$i" -f "$SLURM_CONF"
done

# A client waits ten seconds for a controller that is not there yet.
while [ $SECONDS -lt 40 ]; do
  while read -r process name; do
    kill -0 "$process" 2>/dev/null || give_up "$name has ended"
  done <"$folder/processes"
  idle=$(timeout 1 sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l || true)
  [ "${idle:-0}" != "$nodes" ] || exit 0
  sleep 0.1
done
give_up "no $nodes idle nodes after 40 s"
