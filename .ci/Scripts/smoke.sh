# Checks that the main command of the README prints the output that the README shows, and that the shipped
# policies have no problems.
for policy in policies/*.stint; do
  "$STINT" check "$policy"
  "$STINT" test --mutate --at-least 90 "$policy"
done
time "$STINT" compare none policies/hiking.stint --scenario day-hike | tee .build/picture.txt
sed -n '/^day-hike   /,/^```/p' README.md | grep -v '^```' | diff - .build/picture.txt \
  || { echo "the output of stint differs from README.md; update README.md"; exit 1; }

# After Ctrl-C between lines of facts, all complete decisions must be printed, and the exit code must be 130.
answer=0
folder="$(mktemp -d)"
mkfifo "$folder/facts"
# `env` restores the default action of SIGINT, which shells make background processes ignore.
env --default-signal=INT "$STINT" eval policies/hiking.stint --facts "$folder/facts" > "$folder/decided" 2> "$folder/said" &
evaluating=$!
exec 8> "$folder/facts"
for at in 1 2 3; do echo "{\"at\": $at, \"facts\": {\"battery.level\": 0.1$at}}" >&8; done
until [ "$(wc -l < "$folder/decided")" -eq 3 ]; do
  kill -0 "$evaluating" || exit 1
done
kill -INT "$evaluating"
for _ in {1..300}; do kill -0 "$evaluating" 2> /dev/null || break; read -r -t 0.1 <> <(:) || true; done
kill -KILL "$evaluating" 2> /dev/null || true
wait "$evaluating" || answer=$?
exec 8>&-
[ "$answer" -eq 130 ] || { echo "interrupted, eval exits with $answer"; cat "$folder/said"; exit 1; }
[ "$(wc -l < "$folder/decided")" -eq 3 ] && [ "$(grep -c '"rules"' "$folder/decided")" -eq 3 ]
rm -r "$folder"
echo "interrupted during its input, eval has printed its decisions and exits with 130"
