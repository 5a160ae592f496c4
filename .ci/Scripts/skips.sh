# Checks that a step whose tool is missing is skipped with a message, and does not fail. CHECKS is the program
# that runs the steps.
folder="$(mktemp -d)"
mkdir "$folder/tools"
IFS=: read -ra places <<< "$PATH"
for place in "${places[@]}"; do ln -sf "$place"/* "$folder/tools/" 2> /dev/null || true; done
(cd "$folder/tools" && mv python3 .. && rm -f gpsd umockdev-wrapper dbus-daemon cc make
  ln -sf "$(command -v true)" gcc)

expect() {
  local line="$1"
  shift
  PATH="$folder/tools" "$@" > "$folder/said" 2>&1 || { cat "$folder/said"; exit 1; }
  grep -q "$line" "$folder/said" || { echo "the output lacks “$line”:"; cat "$folder/said"; exit 1; }
  echo "found: $(grep "$line" "$folder/said" | head -1)"
}
expect "strangers: skipped: there is no python3 here" "$CHECKS" gate strangers
expect "hardware: skipped: there is no gpsd here" "$CHECKS" gate hardware
expect "there is no umockdev" "$folder/python3" Plugins/Gpsd/Tests/Hardware/hardware.py none . together
expect "there is no dbus-daemon here" "$folder/python3" Plugins/PowerSupply/Tests/Hardware/upower.py none
rm -f "$folder/tools/clang" "$folder/tools/gcc"
expect "no C compiler is installed" "$folder/python3" Plugins/Thermometer/Tests/strangers.py none . libraries
rm -r "$folder"
