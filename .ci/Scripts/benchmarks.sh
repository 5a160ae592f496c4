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
LD_PRELOAD="$folder/count.so" "$LAB" bench bus --batches 6400 --wakes 2000
"$LAB" bench app --samples 20000 --buses 20
[ -z "${WORKLOAD:-}" ] && exit
for what in machine step compile reload; do
  "$LAB" bench "$what" --rules "$WORKLOAD/rules.json" --facts "$WORKLOAD/vectors.json" --updates "$WORKLOAD/trace.json"
done
