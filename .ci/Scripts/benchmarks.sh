# After loading, a step must not call the allocator or take a lock. The decisions of a small workload must
# equal those of the reference. With WORKLOAD=FOLDER (rules.json, vectors.json, trace.json), the figures of
# that workload are printed.
folder=.build/benchmarks
mkdir -p "$folder"
for what in rules vectors trace; do
  awk -v "what=$what" -f Tests/Allocations/workload.awk > "$folder/$what.json"
done
clang -O2 -shared -fPIC -o "$folder/count.so" Tests/Allocations/count.c
calls="$(LD_PRELOAD="$folder/count.so" "$LAB" bench step \
  --rules "$folder/rules.json" --facts "$folder/vectors.json" --updates "$folder/trace.json" --json \
  | sed -n 's/.*"calls": *{\([^}]*\)}.*/\1/p')"
echo "in 100,000 steps: $calls"
[ "$(tr , '\n' <<< "$calls" | grep -c ': *0$')" -eq 4 ]
"$LAB" bench machine --rules "$folder/rules.json" --facts "$folder/vectors.json" --updates "$folder/trace.json"
# The bus must be at least 8 times as fast as AsyncStream, and the topic of an app at least 3 times. All
# mechanisms run in turns, so other load on the computer affects them alike.
LD_PRELOAD="$folder/count.so" "$LAB" bench bus --batches 6400 --wakes 2000 --json > "$folder/bus.json"
grep -o '"name":"[^"]*","samples_per_s":[0-9.e+]*' "$folder/bus.json" | awk -F '"' '
  { rate[$4] = substr($7, 2) }
  $4 == "AsyncStream" {
    bus = rate["bus"] / rate[$4]
    topic = rate["bus, topic of an app"] / rate[$4]
    printf "load %d: the bus %.1f x, a topic %.1f x AsyncStream\n", ++loads, bus, topic
    if (bus < 8 || topic < 3) slow = 1
  }
  END { exit slow || loads != 4 }'
"$LAB" bench app --samples 20000 --buses 20
[ -z "${WORKLOAD:-}" ] && exit
for what in machine step compile reload; do
  "$LAB" bench "$what" --rules "$WORKLOAD/rules.json" --facts "$WORKLOAD/vectors.json" --updates "$WORKLOAD/trace.json"
done
