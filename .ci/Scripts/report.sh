# Shows report pages in a browser: light and dark, on a phone, without scripts. Screenshots are written to
# .build/report.
browser=""
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
  command -v "$name" > /dev/null && browser="$name" && break
done
if [ -z "$browser" ]; then
  echo "there is no Chromium here (package chromium-headless-shell): the report page was NOT tested" >> "$NOTES"
  exit 75
fi
rm -rf .build/report && mkdir -p .build/report
timeout -k 5 1800 python3 Tests/Page/look.py "$STINT" "$PWD" "$browser" "$PWD/.build/report"
