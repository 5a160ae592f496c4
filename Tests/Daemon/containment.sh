#!/bin/bash
# containment.sh LAB: runs the escape attempts of `stint-lab escape` with all mechanisms of containment, and
# without some of them. No attempt may succeed. Two runs need root, or a system on which users may make
# namespaces: the run without landlock, and the run without namespaces. The run without namespaces begins in a
# namespace in which no further namespace can be made.
LAB=$(realpath "$1")
failed=0

attempt() {
  local name=$1 text
  shift
  if text=$("$@" 2>&1); then
    echo "ok      $name: $(echo "$text" | tail -n 1)"
  else
    echo "FAILED  $name"
    echo "$text" | grep -v '^  refused'
    failed=1
  fi
}

attempt "all means of containment" "$LAB" escape
attempt "without a mount namespace" "$LAB" escape --without mount-namespace
attempt "without landlock" "$LAB" escape --without landlock
if unshare -U -r --mount-proc -p -f -m true 2> /dev/null; then
  # As in a container with default settings: root without capabilities, and no namespace can be made.
  # shellcheck disable=SC2016
  inside='echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --bounding-set -all --inh-caps -all --no-new-privs "$@"'
  attempt "without namespaces" unshare -U -r --mount-proc -p -f -m bash -c "$inside" x "$LAB" escape
else
  echo "skipped: this system makes no namespaces for a test without them"
fi
exit $failed
