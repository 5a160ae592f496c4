"""Opens report pages in headless Chromium and checks the displayed content.

look.py STINT REPOSITORY BROWSER FOLDER writes the pages and their screenshots to FOLDER.
"""

import pathlib
import re
import subprocess
import sys

stint, repository, browser, folder = sys.argv[1:5]
folder = pathlib.Path(folder)
check = (pathlib.Path(__file__).parent / "check.js").read_text()
failures = []


def page(name, *words):
    path = folder / f"{name}.html"
    subprocess.run([stint, *words, "--report", str(path)], check=True, stdout=subprocess.DEVNULL, cwd=repository)
    return path


def chromium(path, width, *flags, height=1000):
    """Returns the document after its scripts have run; an empty string for a screenshot."""
    return subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
         "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
         f"--user-data-dir={folder}/profile", f"--window-size={width},{height}", "--virtual-time-budget=5000",
         *flags, path.as_uri()],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=180).stdout


def expect(truth, sentence):
    if not truth:
        failures.append(sentence)


def watched(path):
    """Returns a copy of the page that also runs `check.js`, and therefore has no content security policy."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", path.read_text())
    copy = path.with_suffix(".checked.html")
    copy.write_text(text.replace("</body>", f"<script>{check}</script></body>"))
    return copy


looks = {
    "light": (1280, []),
    "dark": (1280, ["--blink-settings=preferredColorScheme=0"]),
    "phone": (360, []),
    "phone-dark": (360, ["--blink-settings=preferredColorScheme=0"]),
}
pages = {
    "sim": page("sim", "sim", "policies/hiking.stint", "--scenario", "day-hike"),
    "compare": page("compare", "compare", "none", "policies/hiking.stint", "--scenario", "commute"),
}
for name, path in pages.items():
    text = path.read_text()
    for word in ("http:", "https:", " src=", "@import", "url("):
        expect(word not in text, f"{name}: the page contains “{word}”")
    expect(len(text) < 4_000_000, f"{name}: the page has {len(text)} bytes, more than 4,000,000")
    copy = watched(path)
    for look, (width, flags) in looks.items():
        shown = chromium(copy, width, "--dump-dom", *flags)
        found = re.search(r'<html[^>]* data-found="([^"]*)"', shown)
        expect(found, f"{name}, {look}: the checks did not end")
        expect(not found or found[1] == "nothing", f"{name}, {look}: {found and found[1]}")
        expect(f'data-width="{width}"' in shown, f"{name}, {look}: the window is not {width} pixels wide")
        expect(f'data-scheme="{"dark" if flags else "light"}"' in shown, f"{name}, {look}: the wrong colours")
        picture = folder / f"{name}-{look}.png"
        chromium(path, width, f"--screenshot={picture}", *flags, height=4200 if width > 400 else 9000)
        expect(picture.exists() and picture.stat().st_size > 50_000, f"{name}, {look}: the picture is empty")

    # In the page without `check.js`, only the page's own script may run.
    own = chromium(path, 1280, "--dump-dom")
    expect('class="js"' in own and 'role="slider"' in own, f"{name}: the page's own script does not run")
    foreign = path.with_suffix(".foreign.html")
    foreign.write_text(text.replace("</main>", '</main><script>document.title = "taken"</script>'))
    expect("<title>taken" not in chromium(foreign, 1280, "--dump-dom"), f"{name}: an added script runs")

    # Without scripts the page shows lanes, curves, map and tables, and no controls.
    quiet = path.with_suffix(".quiet.html")
    quiet.write_text(re.sub(r"script-src 'sha256-[^']*'", "script-src 'none'", text))
    still = chromium(quiet, 1280, "--dump-dom").split('id="panel"')[0]
    expect('class="js"' not in still and "tabindex" not in still, f"{name}: a script runs although scripts are disabled")
    expect(still.count('<path class="s ') >= 3 and "<table" in still and "<circle" in still,
           f"{name}: without scripts, lanes, tables or the map are missing")
    picture = folder / f"{name}-quiet.png"
    chromium(quiet, 1280, f"--screenshot={picture}", height=4200)
    expect(picture.exists() and picture.stat().st_size > 50_000, f"{name}, without scripts: the picture is empty")

for failure in failures:
    print(failure)
if failures:
    sys.exit(1)
print(f"{len(pages)} pages in {len(looks)} looks, without scripts and with an added script: all checks passed")
