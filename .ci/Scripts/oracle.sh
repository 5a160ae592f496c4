# Compares the energy of a plan in the simulator with the energy of the same plan in the offline reference.
# The two values may differ by 0.1 %. STINT_YARDSTICKS is the folder of the reference (default:
# shared/bench/oracle beside the checkout or above it).

# Compares the wake-ups and energy of the policies for motion with the minimum of all possible plans.
# STINT_TRACES is the folder of recorded motion and days (default: data/traces beside the folder of the
# reference).
oracle_motion() {
  local traces="${STINT_TRACES:-$2/../../data/traces}"
  if [ ! -d "$traces/motion" ] || [ ! -d "$traces/events" ]; then
    echo "there is no recorded motion here (STINT_TRACES names its folder): motion was NOT scored" >> "$NOTES"
    return 0
  fi
  python3 Tests/Oracle/motion.py "$1" "$2" "$traces"
}

# Simulates the policy track-50 on a few recorded tracks. Compares the energy of the policy with the minimum,
# and checks in which share of the time the position error exceeds 50 m. STINT_TRACES is the folder of the
# recordings, as for oracle_motion.
oracle_tracks() {
  local traces="${STINT_TRACES:-$2/../../data/traces}"
  if [ ! -d "$traces/gps" ]; then
    echo "there are no recorded tracks here (STINT_TRACES names their folder): positions were NOT scored" >> "$NOTES"
    return 0
  fi
  score() {
    python3 Tests/Oracle/track.py "$1" "$2" "$3" policies/track-50.stint --profile "$4" --most-missed 6 \
      --most-days "$5" --most-trips "$6" --only run_c drive_munich_1hz bus_liverpool_c 'geolife_004*'
  }
  score "$1" "$2" "$traces" pixel5 1.9 1.3
  score "$1" "$2" "$traces" m8tracker 2.2 1.4
}

yardsticks="${STINT_YARDSTICKS:-}" folder="$PWD"
while [ -z "$yardsticks" ] && [ "$folder" != / ]; do
  folder="$(dirname "$folder")"
  [ -d "${folder%/}/shared/bench/oracle" ] && yardsticks="${folder%/}/shared/bench/oracle"
done
if [ -z "$yardsticks" ]; then
  echo "there is no offline reference here (STINT_YARDSTICKS names its folder): energy was NOT compared" >> "$NOTES"
  exit 75
fi
if ! python3 -c 'import numpy' 2> /dev/null; then
  echo "there is no numpy here (package python3-numpy): energy was NOT compared" >> "$NOTES"
  exit 75
fi
python3 Tests/Oracle/prices.py "$STINT" "$yardsticks"
oracle_motion "$STINT" "$yardsticks"
oracle_tracks "$STINT" "$yardsticks"
