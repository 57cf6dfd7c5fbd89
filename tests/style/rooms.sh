#!/usr/bin/env bash
# Every #include "room/..." in src/ must be allowed by src/rooms.txt, where a room may name only rooms
# above its line in the file; foreign headers stay in the rooms that own them.
set -euo pipefail
cd "$1"
awk '
  FILENAME == "src/rooms.txt" {
    if ($0 !~ /^[a-z]+:/) next
    room = $1; sub(/:$/, "", room)
    known[room] = 1; allowed[room, room] = 1
    for (i = 2; i <= NF; i++) {
      if (!($i in known) || $i == room) { printf "rooms.txt: %s names %s, which is not below it\n", room, $i; bad = 1 }
      allowed[room, $i] = 1
    }
    next
  }
  /^#include "/ {
    split(FILENAME, path, "/"); room = path[2]
    if (room == "main.c") room = "cli"
    target = $2; gsub(/"/, "", target)
    if (target !~ /\//) { printf "%s: include %s by its room\n", FILENAME, target; bad = 1; next }
    sub(/\/.*/, "", target)
    checked++
    if (!((room, target) in allowed)) { printf "%s: %s may not include %s\n", FILENAME, room, target; bad = 1 }
    if ($2 ~ /_internal\.h"$/ && room != target) { printf "%s: %s is private\n", FILENAME, $2; bad = 1 }
  }
  /^#include </ {
    split(FILENAME, path, "/"); room = path[2]
    owner["yaml.h"] = "sweep"; owner["hdf5.h"] = "store arrays"; owner["jansson.h"] = "arrays summary"; owner["cblas.h"] = "numeric"
    owner["zlib.h"] = "corpus store"; owner["utf8proc.h"] = "corpus"; owner["pthread.h"] = "engine"
    owner["openssl/sha.h"] = "base";
    owner["arpack/arpack.h"] = "numeric"; owner["spawn.h"] = "base"; owner["getopt.h"] = "cli"
    header = $2; gsub(/[<>]/, "", header)
    if (header in owner && !index(" " owner[header] " ", " " room " ")) { printf "%s: <%s> belongs to %s\n", FILENAME, header, owner[header]; bad = 1 }
  }
  END {
    if (checked < 50) { print "only " checked + 0 " includes found: wrong folder?"; bad = 1 }
    exit bad
  }' src/rooms.txt src/*/*.[ch] src/main.c
echo "rooms: every arrow points downwards"
