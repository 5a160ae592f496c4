# Runs the program with an unmodified gpsd on a pseudo terminal, and with an accelerometer and a battery that
# umockdev simulates. STINT_RECEIVER_LOGS may name a folder of recorded logs. The long run waits until gpsd
# closes its port, which takes a minute.
command -v umockdev-wrapper > /dev/null \
  && /usr/bin/python3 -c 'import gi; gi.require_version("UMockdev", "1.0")' 2> /dev/null \
  || echo "there is no umockdev (packages umockdev gir1.2-umockdev-1.0 python3-gi): sensors of sysfs were NOT tested" >> "$NOTES"
if [ "$STINT_TIER" = long ]; then walk=closes; else walk=walk; fi
timeout -k 5 600 python3 Plugins/Gpsd/Tests/Hardware/hardware.py "$STINT_DEBUG" "$PWD" "$walk" killed together recorded
command -v dbus-daemon > /dev/null || echo "there is no dbus-daemon (package dbus): UPower was NOT tested" >> "$NOTES"
timeout -k 5 120 python3 Plugins/PowerSupply/Tests/Hardware/upower.py "$STINT_DEBUG"
