# Makes a plugin in each language from the templates, as the READMEs of the templates describe. Then makes
# plugins with one defect each; `plugin check` must detect each defect.

# Makes a thermometer plugin with one defect. The name of its program selects the defect.
broken_plugin() {
  mkdir "$1"
  cp Plugins/Thermometer/thermometer.py Plugins/Thermometer/manifest.json "$1"
  cp Plugins/Thermometer/Tests/broken.py "$1/$2.py"
  sed "s/\"program\": \"thermometer.py\"/\"program\": \"$2.py\"/" Plugins/Thermometer/plugin.json > "$1/plugin.json"
}

folder="$(mktemp -d)"
for kind in probe chip; do
  for language in python c swift; do
    "$STINT" plugin new "${kind}_$language" --kind "${kind/probe/sensor}" --language "$language" \
      --into "$folder/${kind}_$language" > /dev/null
  done
  (cd "$folder/${kind}_python" && python3 -m unittest -q)
  (cd "$folder/${kind}_c" && make -s && make -s test)
  (cd "$folder/${kind}_swift" && swift test > "$folder/log" 2>&1 \
    && swift build -c release --product "${kind}_swift" >> "$folder/log" 2>&1) || { tail -20 "$folder/log"; exit 1; }
done
for language in python c swift; do
  "$STINT" plugin seal "$folder/chip_$language" > /dev/null
  "$STINT" plugin check "$folder/chip_$language" > "$folder/log" || { cat "$folder/log"; exit 1; }
  [ "$(grep -c "^custom.chip_${language}_" "$folder/log")" -eq 3 ] || { cat "$folder/log"; exit 1; }
  printf 'on rate 5 Hz\nwait 1 s\noff\nwait 500 ms\n' \
    | "$STINT" plugin run "$folder/chip_$language" --device "custom.chip_${language}_magnetometer" > "$folder/log"
  [ "$(grep -c "^sample .*uT" "$folder/log")" -ge 3 ] || { cat "$folder/log"; exit 1; }
  (cd "$folder/chip_$language" && timeout -s INT 3 env --default-signal=INT "$STINT" run --site site.json \
    --policies watch.stint > "$folder/log" 2>&1 || true)
  grep -q "every device is off" "$folder/log" || { cat "$folder/log"; exit 1; }
  "$STINT" plugin seal "$folder/probe_$language" > /dev/null
  "$STINT" plugin check "$folder/probe_$language" --with source=/proc/loadavg || exit 1
  printf 'on rate 5 Hz\nwait 1 s\noff\nwait 500 ms\n' | "$STINT" plugin run "$folder/probe_$language" > "$folder/log"
  grep -q "^state .*on, every 200 ms" "$folder/log" && grep -q "^state .*off" "$folder/log" \
    && [ "$(grep -c "^sample " "$folder/log")" -ge 3 ] || { cat "$folder/log"; exit 1; }
  (cd "$folder/probe_$language" && timeout -s INT 3 env --default-signal=INT "$STINT" run --site site.json \
    --policies watch.stint > "$folder/log" 2>&1 || true)
  grep -q "every device is off" "$folder/log" || { cat "$folder/log"; exit 1; }
done
# Runs the tests of a plugin, builds its program and seals it.
build_plugin() {
  case "$2" in
    python) (cd "$1" && python3 -m unittest -q) ;;
    c) (cd "$1" && make -s && make -s test) ;;
    swift) (cd "$1" && swift test > "$folder/log" 2>&1 \
      && swift build -c release --product "$(basename "$1")" >> "$folder/log" 2>&1) || { tail -20 "$folder/log"; exit 1; } ;;
  esac
  "$STINT" plugin seal "$1" > /dev/null
}

for language in python c swift; do
  fact="$folder/fact_$language"
  "$STINT" plugin new "fact_$language" --kind source --language "$language" --into "$fact" > /dev/null
  build_plugin "$fact" "$language"
  "$STINT" plugin check "$fact" > "$folder/log" || { cat "$folder/log"; exit 1; }
  printf 'read\nwait 1 s\n' | "$STINT" plugin run "$fact" > "$folder/log"
  [ "$(grep -c "^fact .*custom.fact_$language.value" "$folder/log")" -eq 1 ] || { cat "$folder/log"; exit 1; }
  (cd "$fact" && timeout -s INT 3 env --default-signal=INT "$STINT" run --site site.json \
    --policies watch.stint > "$folder/log" 2>&1 || true)
  grep -q "there" "$folder/log" || { cat "$folder/log"; exit 1; }

  modem="$folder/modem_$language"
  "$STINT" plugin new "modem_$language" --kind radio --language "$language" --into "$modem" > /dev/null
  mkdir -p "/var/tmp/modem_$language"
  build_plugin "$modem" "$language"
  "$STINT" plugin check "$modem" > "$folder/log" || { cat "$folder/log"; exit 1; }
  grep -q "kept *completes a transfer" "$folder/log" || { cat "$folder/log"; exit 1; }
  (cd "$modem" && timeout -s INT 3 env --default-signal=INT "$STINT" run --site site.json \
    --policies watch.stint > "$folder/log" 2>&1 || true)
  grep -q "every device is off" "$folder/log" || { cat "$folder/log"; exit 1; }
  rmdir "/var/tmp/modem_$language"
done
"$STINT" plugin check Plugins/Thermometer > "$folder/log" || { cat "$folder/log"; exit 1; }
# Runs `plugin check` on the defective plugin $1. The report must state that the check $2 has failed.
expect_defect() {
  local how="$1" check="$2"
  shift 2
  "$STINT" plugin seal "$folder/$how" > /dev/null
  if "$STINT" plugin check "$folder/$how" --json "$@" > "$folder/log"; then echo "$how: no problem is found"; exit 1; fi
  grep -q "{\"check\":\"$check\",\"verdict\":\"broken\"" "$folder/log" \
    || { echo "$how: $check is not found"; cat "$folder/log"; exit 1; }
}

count=0
for how in crash:stays hang:answers lie:honest flood:flood newer:version impostor:honest deaf-rate:heeds late:prompt \
  zone:honest glitch:honest; do
  broken_plugin "$folder/${how%:*}" "${how%:*}"
  expect_defect "${how%:*}" "${how#*:}"
  count=$((count + 1))
done
broken_plugin "$folder/blabs" blabs
sed -i 's/"settings": \[/"settings": [{"key": "token", "kind": "text", "meaning": "a token"}, /' "$folder/blabs/plugin.json"
expect_defect blabs discreet --with token=correct-horse

# The manifest states the class motion.gyro, but has neither the channels nor the attribute of this class.
cp -r Plugins/Thermometer "$folder/misclassed"
sed -i 's/"stint_manifest": 1/"stint_manifest": 2, "classes": ["motion.gyro"]/' "$folder/misclassed/manifest.json"
expect_defect misclassed classed

# The meter always shows 50 mW, also while the device is off.
cp -r Plugins/Thermometer "$folder/wasteful"
python3 -c "import time
for _ in range(6000):
    print(f'{time.time():.3f},0.05', flush=True)
    time.sleep(0.005)" > "$folder/power" &
meter=$!
expect_defect wasteful energy --power "$folder/power"
kill "$meter" 2> /dev/null || true

# The samples of one sensor of a chip are sent as those of another sensor.
cp -r "$folder/chip_python" "$folder/mixed"
sed -i 's/            self.deliver(samples, reason)/            self.number = (self.number + 1) % 3\n            self.deliver(samples, reason)\n            self.number = (self.number + 2) % 3/' \
  "$folder/mixed/chip_python.py"
expect_defect mixed separate
cp -r "$folder/chip_python" "$folder/swapped"
sed -i 's/("x", unit), ("y", unit)/("y", unit), ("x", unit)/' "$folder/swapped/chip_python.py"
expect_defect swapped honest

"$STINT" plugin new silent --kind radio --language python --into "$folder/silent" > /dev/null
mkdir -p /var/tmp/silent
trap "rmdir /var/tmp/silent" EXIT
sed -i 's/                self.carried(transfer\[0\])/                pass/' "$folder/silent/silent.py"
expect_defect silent carries
count=$((count + 6))
rm -r "$folder"
echo "twelve new plugins follow every rule; $count defective ones each violate their rule"
