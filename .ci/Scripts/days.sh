# Simulates days with different policies, seeds and scenarios. A device that is on without a cause is an
# error. The sum of energy over devices, the sum over clients and the sum over rules must be exactly equal, in
# nanojoules. STINT_DAYS is the number of days.
policies=() scenarios=(commute day-hike)
for policy in policies/*.stint; do
  "$STINT" sim "$policy" --scenario commute --json > .build/day.json 2> .build/day.log && policies+=("$policy")
done
[ "${#policies[@]}" -gt 0 ]
: > .build/days.json
for ((day = 1; day <= ${STINT_DAYS:-2}; day++)); do
  "$STINT" sim "${policies[$((day % ${#policies[@]}))]}" --scenario "${scenarios[$((day / 7 % 2))]}" \
    --seed "$((day * 7919))" --reloads "$((day % 5))" --json >> .build/days.json
done
awk '
  function sum(text, name,   part, total) {
    match(text, "\"" name "\": *[{][^}]*[}]"); part = substr(text, RSTART + length(name) + 4, RLENGTH)
    while (match(part, /": *-?[0-9]+/)) {
      total += substr(part, RSTART + 2, RLENGTH - 2); part = substr(part, RSTART + RLENGTH)
    }
    return total
  }
  {
    energy = $0; sub(/"deliveries".*/, "", energy)
    match(energy, /"total": *[0-9]+/); all = substr(energy, RSTART + 8, RLENGTH - 8) + 0
    if (all == 0 || sum(energy, "by_device") != all || sum(energy, "by_client") != all || sum(energy, "by_rule") != all) {
      print "day " NR ": the sums of the ledger differ"; bad = 1
    }
    if ($0 !~ /"unexplained_ns": *0[,}]/) { print "day " NR ": something was on without a cause"; bad = 1 }
  }
  END {
    print NR " days: " (bad ? "the problems are listed above" : "each ledger is balanced, and each device was on for a cause")
    exit bad
  }
' .build/days.json
