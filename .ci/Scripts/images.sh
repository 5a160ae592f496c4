# Every truncation and every turned bit of the images of four policies; of all that ship with STINT_IMAGES='policies/*'.
built="$(swift build -c release --show-bin-path)"
swiftc -swift-version 6 -O -wmo -DTURNING -module-name Turning -parse-as-library -I "$built/Modules" \
  Tests/Fuzz/Stages/ImageStage.swift Tests/Fuzz/Support/{Image*,FlipEntry,FuzzFinding,Phone}.swift \
  "$built"/Stint{Units,Model,Language,Machine,Compiler,Governor,Formats,PluginKit,Simulation}.build/*.o \
  -o .build/turning
mkdir -p .build/images
images=() pids=()
for policy in ${STINT_IMAGES:-policies/camera-trap.stint policies/fleet.stint policies/hiking.stint policies/wearable.stint}; do
  images+=(".build/images/$(basename "$policy" .stint)")
  "$STINT" compile "$policy" -o "${images[-1]}"
done
half=$((${#images[@]} / 2))
SWIFT_BACKTRACE=enable=no .build/turning "${images[@]:0:half}" & pids+=($!)
SWIFT_BACKTRACE=enable=no .build/turning "${images[@]:half}" & pids+=($!)
for pid in "${pids[@]}"; do wait "$pid"; done
