# SPDX-License-Identifier: MIT
# Calls that write and fail, each in turn, alone or with all that follow: status 5 and one line, every file whole, and run
# again all is well.
. "$2/tests/support/faults.sh"
tried() {
  each disk 5
  each full 5
}
. "$2/tests/support/fault_scenes.sh"
exit $FAILED
