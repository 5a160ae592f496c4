# Builds every Swift block of the guides in a package outside of this one, and runs the programs among them. A
# block with imports and top-level calls is a program. A block without imports is built as the body of a
# function with the parameter `bus`. A block that is a package manifest is built with the program after it,
# exactly as they are printed, except for the path of the repository.

repository="$PWD"
package="$(mktemp -d)"
trap 'rm -rf "$package"' EXIT
number=0
targets=""
for guide in Sources/Stint/Stint.docc/*.md; do
  awk -v into="$package/$(basename "$guide" .md)" '
    /^```swift/ { inside = 1; count++; next }
    /^```/ { inside = 0 }
    inside { print > (into "-" count ".swift") }' "$guide"
done
products='.product(name: "Stint", package: name), .product(name: "StintPluginKit", package: name),
  .product(name: "StintSimulation", package: name), .product(name: "StintDevices", package: name)'
for block in "$package"/*.swift; do
  if grep -q "^import PackageDescription" "$block"; then
    printed="$package/printed"
    mkdir -p "$printed/Sources/Trail"
    sed "s|path: \"../stint\"|path: \"$repository\"|" "$block" > "$printed/Package.swift"
    count="${block##*-}"
    cp "${block%-*}-$((${count%.swift} + 1)).swift" "$printed/Sources/Trail/main.swift"
    continue
  fi
  number=$((number + 1))
  target="Block$number"
  mkdir -p "$package/Sources/$target"
  if ! grep -q "^import" "$block"; then
    { echo "import Stint"; echo "func block(_ bus: Bus) async throws {"; cat "$block"; echo "}"; } \
      > "$package/Sources/$target/Block.swift"
    targets+=".target(name: \"$target\", dependencies: [$products]), "
  elif grep -q "^await \|^try await \|^print(" "$block"; then
    cp "$block" "$package/Sources/$target/main.swift"
    targets+=".executableTarget(name: \"$target\", dependencies: [$products]), "
    programs="${programs:-} $target"
  else
    cp "$block" "$package/Sources/$target/Block.swift"
    targets+=".target(name: \"$target\", dependencies: [$products]), "
  fi
done
cat > "$package/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let name = "$(basename "$repository")"
let package = Package(
  name: "guides", dependencies: [.package(path: "$repository")], targets: [${targets%, }])
END
swift build --package-path "$package" --scratch-path .build/plugins > "$package/log" 2>&1 \
  || { grep "error:" "$package/log" || tail -20 "$package/log"; exit 1; }
mkdir "$package/empty"
for program in ${programs:-}; do
  # A program of a guide needs no file of the repository.
  (cd "$package/empty" && timeout 60 "$repository/.build/plugins/debug/$program") > "$package/out" 2>&1 \
    || { cat "$package/out"; exit 1; }
  head -1 "$package/out" | cut -c1-120
done
[ -n "${printed:-}" ] || { echo "the guides contain no package"; exit 1; }
swift build --package-path "$printed" --scratch-path .build/plugins > "$package/log" 2>&1 \
  || { grep "error:" "$package/log" || tail -20 "$package/log"; exit 1; }
(cd "$package/empty" && timeout 60 "$repository/.build/plugins/debug/Trail") > "$package/out"
grep -qxF "$(sed -n 's/^.*prints `\(.* positions; .*\)`.*$/\1/p' Sources/Stint/Stint.docc/Embedding.md)" "$package/out" \
  || { echo "the program of the guide prints another line:"; cat "$package/out"; exit 1; }
[ -n "${programs:-}" ] || { echo "the guides contain no program"; exit 1; }
echo "$number Swift blocks of the guides build in another package, and the programs run"

# The reference and the guides must build without a warning, so each symbol, link and parameter in them must
# exist.
if command -v docc > "$package/docc"; then
  modules="$(readlink -f .build/plugins/debug)"
  maps=""
  for map in "$modules"/CStint*.build/module.modulemap; do maps+=" -Xcc -fmodule-map-file=$map"; done
  mkdir "$package/symbols"
  for module in Stint StintModel StintServices StintUnits StintPluginKit; do
    # shellcheck disable=SC2086
    swift symbolgraph-extract -module-name "$module" -I "$modules/Modules" $maps -target "$(uname -m)-unknown-linux-gnu" \
      -output-dir "$package/symbols" -minimum-access-level public
  done
  docc convert Sources/Stint/Stint.docc --additional-symbol-graph-dir "$package/symbols" \
    --output-path "$package/reference" --fallback-display-name Stint --fallback-bundle-identifier stint \
    --warnings-as-errors > "$package/log" 2>&1 || { cat "$package/log"; exit 1; }
  echo "the reference of $(find "$package/reference/data/documentation" -name '*.json' | wc -l) pages builds without a warning"
else
  echo "the reference is not built: docc is missing" | tee -a "$NOTES"
fi
