# A hand-written policy with parameters is tuned on some tracks: what is chosen spends less and is no worse, also on
# tracks that were held back; the same bytes on one thread and on two; what it writes is a policy whose tests pass. On
# made tracks, and on recorded ones where STINT_TRACES names their folder; left out, shared/data/traces/gps beside the
# checkout or above it. STINT_TRIALS says how many settings.

# The choice is better on tracks that were held back too, and what is written of it passes its tests.
tune_once() {
  rm -f "$folder/tuned.stint"
  tuned --traces "$1" --trials "${STINT_TRIALS:-$2}" --write "$folder/tuned.stint" | tee "$folder/said" || return 1
  grep -q '^On the tracks held back: .*: also better' "$folder/said" || return 1
  "$STINT" check "$folder/tuned.stint" > /dev/null && "$STINT" test "$folder/tuned.stint"
}

# Ctrl-C during the search: the best so far is printed, and the end says what happened.
tune_interrupted() {
  local answer=0 searching
  env --default-signal=INT "$STINT" tune policies/ladder.stint --traces "$1" --scenario tracker --trials 100000 \
    > "$folder/best" 2> "$folder/said" &
  searching=$!
  # From the moment at which the program holds the signal, it has to answer to it.
  until grep -q '^SigBlk:.*[2367abef]$' "/proc/$searching/status"; do kill -0 "$searching" || return 1; done
  kill -INT "$searching"
  wait "$searching" || answer=$?
  [ "$answer" -eq 130 ] || { echo "interrupted, tune ends with $answer"; cat "$folder/said"; return 1; }
  grep -q 'interrupted' "$folder/best" || { cat "$folder/best"; return 1; }
  echo "interrupted during its search, tune has told what it had and ends with 130"
}

traces="${STINT_TRACES:-}" parent="$PWD"
folder="$(mktemp -d)"
mkdir "$folder/few" "$folder/made"
awk -v folder="$folder/few" -v count=4 -f Tests/Tuning/tracks.awk
# What is chosen by few is fitted to them alone: it takes about ten to choose by, and as many to hold back.
awk -v folder="$folder/made" -v count=20 -f Tests/Tuning/tracks.awk
tuned() { "$STINT" tune policies/ladder.stint --scenario tracker --profile pixel5 --bound 50m --open-sky "$@"; }
tuned --traces "$folder/few" --trials 40 --threads 1 --json > "$folder/one" || exit 1
tuned --traces "$folder/few" --trials 40 --json > "$folder/two" || exit 1
cmp "$folder/one" "$folder/two" || { echo "on two threads tune says something else than on one"; exit 1; }
tune_once "$folder/made" 60 || exit 1
tune_interrupted "$folder/made" || exit 1
while [ -z "$traces" ] && [ "$parent" != / ]; do
  parent="$(dirname "$parent")"
  [ -d "${parent%/}/shared/data/traces/gps" ] && traces="${parent%/}/shared/data/traces/gps"
done
if [ -z "$traces" ]; then
  echo "no recorded tracks are here (STINT_TRACES names their folder): on those the tuning was NOT confirmed" >> "$NOTES"
else
  tune_once "$traces" 100 || exit 1
fi
rm -r "$folder"
