# Loads the images of four policies with every possible truncation and with every single bit flipped.
# STINT_IMAGES='policies/*' selects all policies.
STINT_TESTS=images swift build -c release --scratch-path .build/ship --product turn-images
turn="$(swift build -c release --scratch-path .build/ship --show-bin-path)/turn-images"
mkdir -p .build/images
images=() pids=()
for policy in ${STINT_IMAGES:-policies/camera-trap.stint policies/fleet.stint policies/hiking.stint policies/wearable.stint}; do
  images+=(".build/images/$(basename "$policy" .stint)")
  "$STINT" compile "$policy" -o "${images[-1]}"
done
half=$((${#images[@]} / 2))
SWIFT_BACKTRACE=enable=no "$turn" "${images[@]:0:half}" & pids+=($!)
SWIFT_BACKTRACE=enable=no "$turn" "${images[@]:half}" & pids+=($!)
for pid in "${pids[@]}"; do wait "$pid"; done
