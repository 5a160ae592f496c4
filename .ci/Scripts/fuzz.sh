# Runs one fuzzer for each stage of Tests/Fuzz. A fuzzer begins with the texts of grammar/corpus, the shipped
# policies, and inputs that once caused a failure. It changes these inputs and inserts words of the grammar.
# Its findings are written to .build/fuzz/STAGE. FUZZ_STAGES selects stages, FUZZ_SECONDS is the time for each
# stage (0: unlimited), and FUZZ_RUNS is the maximum number of inputs.
mkdir -p .build/fuzz

# The modules are instrumented for the fuzzer too, so that the fuzzer observes their branches. The fuzzer
# library contains the main function.
STINT_TESTS=fuzz swift build -c release --scratch-path .build/fuzz/modules --product fuzz-stages \
  --sanitize=fuzzer --sanitize=address > .build/fuzz/build.log || { cat .build/fuzz/build.log; exit 1; }
stages="$(swift build -c release --scratch-path .build/fuzz/modules --show-bin-path)/fuzz-stages"

# The initial inputs: each case of the corpus without its expected result, and the words of the grammar.
seeds=.build/fuzz/seeds
rm -rf "$seeds"
mkdir -p "$seeds"
for text in grammar/corpus/*/*.txt; do
  sed '/^--- \(tree\|reject\)$/,$d' "$text" > "$seeds/$(basename "$(dirname "$text")")-$(basename "$text")"
done
cp policies/*.stint "$seeds"
sed 's/#.*//' grammar/stint.ebnf | grep -o '"[^" ]*"' | grep -v '\\\|""' | sort -u > "$seeds.words"

for stage in ${FUZZ_STAGES:-lexer parser formatter checker framing session image boundary site descriptor governor}; do
  folder=".build/fuzz/$stage"
  begin=("$seeds" "Tests/Fuzz/Crashes/$stage")
  [ -d "Tests/Fuzz/Seeds/$stage" ] && begin=("Tests/Fuzz/Seeds/$stage" "Tests/Fuzz/Crashes/$stage")
  mkdir -p "$folder/corpus"
  ln -sf "$stages" "$folder/$stage"
  # Leak detection is off: it cannot follow pointers in Swift enums, because Swift sets unused bits in them.
  # The Swift backtracer is off, because it would deadlock after a crash. A crash must end the run at once.
  ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no "$folder/$stage" -max_total_time="${FUZZ_SECONDS:-8}" \
    -runs="${FUZZ_RUNS:--1}" -max_len=4096 -timeout=20 -dict="$seeds.words" -artifact_prefix="$folder/" -verbosity=0 \
    -print_final_stats=1 "$folder/corpus" "${begin[@]}" 2> "$folder/log" || { tail -40 "$folder/log"; exit 1; }
  echo "$stage: $(sed -n 's/stat::number_of_executed_units: *//p' "$folder/log") inputs without a failure"
done
