# Tests Stint from a separate package, as an embedding app uses it. All tests run in a package that refers to
# Stint by its path. An app is also built from scratch in a package that refers to Stint by a file:// URL.
# The URL names a copy of the repository, so uncommitted files are tested too.

swift test --package-path Tests/Embedding --scratch-path .build/plugins --no-parallel --disable-xctest 2>&1 \
  | tee .build/embedding.log | grep -v "^\[\|^◇\|^✔ Test \|^✔ Suite" || true
grep -q "✔ Test run with" .build/embedding.log || { echo "the tests of the embedding package failed"; exit 1; }

copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/stint"
git ls-files -z --cached --others --exclude-standard | xargs -0 -I{} sh -c '[ ! -e "$1" ] || echo "$1"' sh {} \
  | tar -cf - -T - | tar -xf - -C "$copy/stint"
git -C "$copy/stint" init -q
git -C "$copy/stint" add -A
git -C "$copy/stint" -c user.name=stint -c user.email=stint@example.org commit -qm "A copy"
revision="$(git -C "$copy/stint" rev-parse HEAD)"
cp -r Tests/Embedding "$copy/app"
cd "$copy/app"
export STINT_URL="file://$copy/stint" STINT_REVISION="$revision"
swift package resolve > "$copy/log" 2>&1 || { cat "$copy/log"; exit 1; }
load="$(cut -d " " -f 1 /proc/loadavg)"
TIMEFORMAT="%U %S"
{ time swift build --product Trail > "$copy/log" 2>&1 || { grep "error:" "$copy/log" || tail -20 "$copy/log"; exit 1; }; } \
  2> "$copy/time"
awk '{ printf "a clean debug build of an embedding app takes %.0f s of processor time\n", $1 + $2 }' "$copy/time"
# Beside other builds, the same work takes two to three times the processor time, so the limit applies only to a
# machine without other work. The modules are checked on each machine.
awk -v load="$load" '{ exit load < 0.5 && $1 + $2 > 110 }' "$copy/time" \
  || { echo "this is more than 110 s on a machine without other work"; exit 1; }
modules="$(cd .build/debug && ls Stint*.build/*.o | sed "s|[.]build/.*||" | sort -u | tr "\n" " ")"
expected="Stint StintBus StintCompiler StintDaemon StintEstimation StintFormats StintGovernor StintJournal"
expected+=" StintLanguage StintMachine StintModel StintPluginHost StintPluginKit StintRuntime StintServices"
expected+=" StintSystem StintUnits "
[ "$modules" = "$expected" ] || { echo "an app compiles other modules than expected: $modules"; exit 1; }
timeout 60 .build/debug/Trail > "$copy/out" || { cat "$copy/out"; exit 1; }
[ "$(cat "$copy/out")" = "3 positions" ] || { echo "the app prints:"; cat "$copy/out"; exit 1; }
echo "the app runs on Stint from a file:// URL: $(cat "$copy/out")"
