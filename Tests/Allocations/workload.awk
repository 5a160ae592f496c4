# Writes a part of a small workload for the benchmarks, equal in every run. `-v what=PART` selects the part:
# rules, vectors or trace.
function next_number(bound) { state = (state * 16807) % 2147483647; return state % bound }
function value(field) { return field == 4 ? (next_number(2) ? "true" : "false") : next_number(1000) / 10 }
function vector(change,   i, text) {
  for (i = 0; i < 5; i++) if (!change || next_number(3) == 0 || !(i in now)) now[i] = value(i)
  for (i = 0; i < 5; i++) text = text (i ? ", " : "") "\"f" substr("abcde", i + 1, 1) "\": " now[i]
  return "{" text "}"
}
function test(   field, operators) {
  field = next_number(5)
  if (field == 4) return "[\"fe\", \"==\", " (next_number(2) ? "true" : "false") "]"
  return "[\"f" substr("abcd", field + 1, 1) "\", \"" (next_number(2) ? "<" : ">=") "\", " next_number(1000) / 10 "]"
}
BEGIN {
  state = 20260101
  count = what == "rules" ? 300 : 200
  printf "["
  for (n = 0; n < count; n++) {
    if (n) printf ",\n"
    if (what == "rules")
      printf "{\"id\": %d, \"device\": %d, \"action\": 1, \"when\": [\"%s\", %s, %s, %s], \"priority\": %d}", \
        n, next_number(4), next_number(4) ? "and" : "or", test(), test(), test(), n + 1
    else printf "%s", vector(what == "trace" && n)
  }
  print "]"
}
