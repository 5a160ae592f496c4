# Tunes the parameters of a hand-written policy. The chosen values must use less energy without loss of
# quality, also on validation tracks. The output must be equal on one thread and on two threads, and the tests
# of the written policy must pass. Uses generated tracks, and recorded tracks from STINT_TRACES (default:
# shared/data/traces/gps beside the checkout or above it). STINT_TRIALS is the number of parameter sets.

# Tunes once. The chosen values must be better on validation tracks too, and the tests of the written policy
# must pass.
tune_once() {
  rm -f "$folder/tuned.stint"
  tuned --traces "$1" --trials "${STINT_TRIALS:-$2}" --write "$folder/tuned.stint" | tee "$folder/said" || return 1
  grep -q '^On the tracks held back: .*: also better' "$folder/said" || return 1
  "$STINT" check "$folder/tuned.stint" > /dev/null && "$STINT" test "$folder/tuned.stint"
}

# Sends Ctrl-C during the search. The best result so far must be printed, and the exit code must be 130.
tune_interrupted() {
  local answer=0 searching
  env --default-signal=INT "$STINT" tune policies/ladder.stint --traces "$1" --scenario tracker --trials 100000 \
    > "$folder/best" 2> "$folder/said" &
  searching=$!
  # The signal must be sent after the program has blocked it. An earlier signal would end the program.
  until grep -q '^SigBlk:.*[2367abef]$' "/proc/$searching/status"; do kill -0 "$searching" || return 1; done
  kill -INT "$searching"
  wait "$searching" || answer=$?
  [ "$answer" -eq 130 ] || { echo "interrupted, tune exits with $answer"; cat "$folder/said"; return 1; }
  grep -q 'interrupted' "$folder/best" || { cat "$folder/best"; return 1; }
  echo "interrupted during its search, tune has printed its best result and exits with 130"
}

traces="${STINT_TRACES:-}" parent="$PWD"
folder="$(mktemp -d)"
mkdir "$folder/few" "$folder/made"
awk -v folder="$folder/few" -v count=4 -f Tests/Tuning/tracks.awk
# Parameters that are chosen on a few tracks are overfitted: about ten tracks are needed for tuning, and ten
# tracks are needed for validation.
awk -v folder="$folder/made" -v count=20 -f Tests/Tuning/tracks.awk
tuned() { "$STINT" tune policies/ladder.stint --scenario tracker --profile pixel5 --bound 50m --open-sky "$@"; }
tuned --traces "$folder/few" --trials 40 --threads 1 --json > "$folder/one" || exit 1
tuned --traces "$folder/few" --trials 40 --json > "$folder/two" || exit 1
cmp "$folder/one" "$folder/two" || { echo "the output of tune differs between one thread and two"; exit 1; }
tune_once "$folder/made" 60 || exit 1
tune_interrupted "$folder/made" || exit 1
while [ -z "$traces" ] && [ "$parent" != / ]; do
  parent="$(dirname "$parent")"
  [ -d "${parent%/}/shared/data/traces/gps" ] && traces="${parent%/}/shared/data/traces/gps"
done
if [ -z "$traces" ]; then
  echo "there are no recorded tracks here (STINT_TRACES names their folder): tuning was NOT tested on them" >> "$NOTES"
else
  tune_once "$traces" 100 || exit 1
fi
rm -r "$folder"
