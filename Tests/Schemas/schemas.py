#!/usr/bin/env python3
"""Runs every command that has --json and validates the output: `schemas.py STINT REPOSITORY`.

It also validates the shipped manifests, descriptors, sites and scenarios with grammar/schemas/files/*.json.

The schemas are grammar/schemas/*.json. The validator is Python's jsonschema, which is independent of Stint. The
script prints one line for each report. The exit code is 1 when a report or a file does not match its schema or when
a schema is not used, and 77 when jsonschema is not installed.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

STINT, REPOSITORY = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SCHEMAS = os.path.join(REPOSITORY, "grammar", "schemas")
problems = 0
judged = set()


def stint(*arguments, text=None, codes=(0, 1)):
    done = subprocess.run([STINT, *arguments], capture_output=True, text=True, input=text, cwd=REPOSITORY)
    if done.returncode not in codes:
        raise SystemExit(f"stint {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def judge(name, text):
    global problems
    import jsonschema
    path = os.path.join(SCHEMAS, name + ".json")
    judged.add(name)
    for line in text.splitlines():
        report = json.loads(line)
        with open(path) as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        errors = [f"{error.json_path}: {error.message[:200]}"
                  for error in jsonschema.Draft202012Validator(schema).iter_errors(report)]
        member = "stint_" + name.replace("-", "_")
        if list(report)[0] != member or report[member] != schema["properties"][member]["const"]:
            errors.append(f"the first member is not {member} with the version of the schema")
        if "additionalProperties" not in schema:
            errors.append("the schema permits members that it does not define")
        problems += bool(errors)
        print(f"{name:22} {'FAILED' if errors else 'ok'}", *errors, sep="\n  " if errors else "", flush=True)


def daemon(folder, journal, *options):
    control = os.path.join(folder, "control")
    process = subprocess.Popen(
        [STINT, "run", "--policies", "policies/hiking.stint", "--simulate", "day-hike", "--speed", "100", "--json",
         "--control", control, "--journal", journal, *options],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=REPOSITORY)
    while not os.path.exists(control):
        time.sleep(0.01)
    return process, control


def main():
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        print("jsonschema for python3 is not installed: reports were NOT validated")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        with open(path("bad.stint"), "w") as file:
            file.write('policy "x" version 1\nrule a while nope { }\nuse location.gnss as gps\nrule b when app.statt is 3 '
                       '{ pause gps }\n')
        hiking = "policies/hiking.stint"
        policies = sorted(name for name in os.listdir(os.path.join(REPOSITORY, "policies")) if name.endswith(".stint"))
        for name in policies:
            judge("check", stint("check", "policies/" + name, "--json"))
        judge("check", stint("check", path("bad.stint"), "--json"))
        judge("test", stint("test", hiking, "--json"))
        judge("test", stint("test", hiking, "--json", "--mutate", "--coverage"))
        judge("diff", stint("diff", hiking, "policies/fleet.stint", "--json"))
        judge("diff", stint("diff", hiking, hiking, "--json"))
        judge("explain", stint("explain", "P0101", "--json"))
        judge("word", stint("explain", "pause", "--json"))
        for name in ("location.gnss", "motion.gyro", "power.thermal", "radio", "sensor"):
            judge("class", stint("explain", name, "--json"))
        judge("codes", stint("explain", "--json"))
        judge("fmt", stint("fmt", hiking, path("bad.stint"), "--check", "--json"))
        judge("compile", stint("compile", hiking, "-o", path("image"), "--json"))
        judge("disasm", stint("disasm", path("image"), "--json"))
        judge("sim", stint("sim", hiking, "--scenario", "commute", "--json", "--journal", path("journal")))
        judge("compare", stint("compare", "none", hiking, "--scenario", "commute", "--json"))
        judge("replay", stint("replay", path("journal"), "--json"))
        judge("what-if", stint("replay", path("journal"), "--policy", "policies/fleet.stint", "--json"))
        for thing in ("location.gnss", "radio.wifi"):
            judge("why", stint("why", thing, "--journal", path("journal"), "--json"))
        for thing in ("location.gnss", "radio.wifi", "hiking/saver"):
            judge("why-not", stint("why-not", thing, "--journal", path("journal"), "--json"))
        judge("plugin-list", stint("plugin", "list", "--json"))
        judge("plugin-new", stint("plugin", "new", "probe", "--language", "python", "--into", path("probe"), "--json"))
        judge("plugin-seal", stint("plugin", "seal", path("probe"), "--json"))
        judge("plugin-check", stint("plugin", "check", path("probe"), "--json"))
        process, control = daemon(folder, path("starts"), "--state", path("state"))
        judge("status", stint("status", "--control", control, "--json"))
        judge("why", stint("why", "location.gnss", "--control", control, "--json"))
        judge("why-not", stint("why-not", "hiking/saver", "--control", control, "--json"))
        with open(path("hiking.stint"), "w") as file:
            file.write(open(os.path.join(REPOSITORY, hiking)).read().replace("version 1", "version 2", 1))
        judge("reply", stint("push", path("hiking.stint"), "--control", control, "--json"))
        judge("status", stint("status", "--control", control, "--json"))
        judge("permit", stint("permit", "trail-app", "--control", control, "--json"))
        judge("permit", stint("permit", "trail-app", "--motion", "denied", "--control", control, "--json"))
        judge("reply", stint("permit", "trail-app", "--motion", "often", "--control", control, "--json", codes=(2,)))
        judge("reply", stint("rollback", "--control", control, "--json"))
        judge("reply", stint("why", "nothing", "--control", control, "--json", codes=(2,)))
        process.terminate()
        judge("run", process.communicate()[0])
        judge("tune", tuned(folder))
    unused = {name[:-5] for name in os.listdir(SCHEMAS) if name.endswith(".json")} - judged
    judge_files()
    if unused:
        print("no report was validated with these schemas:", *sorted(unused))
    print(f"{len(judged)} schemas; reports, files and formats with problems: {problems}")
    return 1 if problems or unused else 0


def judge_files():
    """Validates the shipped input files, each of which names its format in its first member."""
    global problems
    import jsonschema
    kinds = {"stint_manifest": "manifest", "stint_plugin": "descriptor", "stint_site": "site",
             "stint_scenario": "scenario"}
    schemas, found = {}, set()
    for kind in kinds.values():
        with open(os.path.join(SCHEMAS, "files", kind + ".json")) as file:
            schemas[kind] = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schemas[kind])
    for part in ("Plugins", "Sources"):
        for folder, _, names in os.walk(os.path.join(REPOSITORY, part)):
            for path in (os.path.join(folder, name) for name in sorted(names) if name.endswith(".json")):
                with open(path) as file:
                    content = json.load(file)
                kind = kinds.get(next(iter(content), ""))
                if kind is None:
                    continue
                found.add(kind)
                errors = [f"{error.json_path}: {error.message[:200]}"
                          for error in jsonschema.Draft202012Validator(schemas[kind]).iter_errors(content)]
                problems += bool(errors)
                if errors:
                    print(os.path.relpath(path, REPOSITORY), "FAILED", *errors, sep="\n  ", flush=True)
    problems += len(set(kinds.values()) - found)
    print(f"files: {len(found)} formats validated", flush=True)


def tuned(folder):
    tracks = os.path.join(folder, "tracks")
    os.mkdir(tracks)
    subprocess.run(["awk", "-v", f"folder={tracks}", "-v", "count=4", "-f", "Tests/Tuning/tracks.awk"], check=True,
                   cwd=REPOSITORY)
    return stint("tune", "policies/ladder.stint", "--scenario", "tracker", "--bound", "50m", "--open-sky", "--traces",
                 tracks, "--trials", "4", "--json")


sys.exit(main())
