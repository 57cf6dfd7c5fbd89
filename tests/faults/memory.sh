# SPDX-License-Identifier: MIT
# Memory that is not to be had, at each place in turn: status 70, or 3 where a single run lacked it, and one line; every
# file whole, and run again all is well.
. "$2/tests/support/faults.sh"
tried() { each memory 70 3; }
. "$2/tests/support/fault_scenes.sh"
exit $FAILED
