"""Compares a policy that bounds the position error with an offline reference, on recorded tracks.

    python3 track.py PROGRAM YARDSTICKS TRACES POLICY --profile pixel5 --bound 50

YARDSTICKS is the folder of the offline reference. For each track the script prints

- the minimum energy of a plan that knows the whole track, and the energy of the policy's fixes, both computed by the
  reference;
- the ratio of the two energies;
- the share of seconds in which the position was beyond the bound, and the number of fixes;
- the ratios of three other rules: always on, the best fixed period, and a rule that adapts to the speed. The last two
  are tuned with knowledge of the track;
- the energy of sensing.

Results that the reference folder does not contain are computed, which takes minutes. A fix counts from the time of
its delivery. The policy is scored on a grid of one second; the reference reduces long stretches to 1500 steps.

The reference gives every plan its first fix free of charge, and computes every later fix for a warm receiver. So each
stretch begins with a minute at its first point, in which the receiver gets its first fix. That minute is not scored.
With `--cold` a stretch begins without this minute, with a cold receiver.

`--keep FILE` stores computed results for later runs. `--most-days` and `--most-trips` are limits of a group's mean
ratio; `--most-missed` is a limit of a track's missed seconds. The exit code is 1 when a limit is exceeded.
"""

import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("program")
arguments.add_argument("yardsticks", type=Path)
arguments.add_argument("traces", type=Path)
arguments.add_argument("policy")
arguments.add_argument("--profile", default="pixel5")
arguments.add_argument("--bound", type=int, default=50)
arguments.add_argument("--only", default=["*"], nargs="+", help="patterns for the names of tracks")
arguments.add_argument("--cold", action="store_true", help="begin each stretch with a cold receiver")
arguments.add_argument("--keep", type=Path, help="a file that stores computed results of the reference")
arguments.add_argument("--most-days", type=float, default=math.inf, help="the maximum mean ratio of whole days")
arguments.add_argument("--most-trips", type=float, default=math.inf, help="the maximum mean ratio of trips")
arguments.add_argument("--most-missed", type=float, default=math.inf, help="the maximum share of missed seconds of a track, in per cent")
arguments = arguments.parse_args()
sys.path.insert(0, str(arguments.yardsticks))
sys.dont_write_bytecode = True

import numpy  # noqa: E402
import oracle_location  # noqa: E402
from traces import ground_truth, metres  # noqa: E402

PROFILE = json.loads((arguments.yardsticks / "profiles.json").read_text())["location"][arguments.profile]
LEAD = 0.0 if arguments.cold else 60.0
RULES = ["lower bound", "always on", "best fixed period (hindsight)", "speed adaptive, tuned (hindsight)"]


def known():
    """Returns the stored results of the reference, by track and rule."""
    setting = f"{arguments.profile} E={arguments.bound}"
    with open(arguments.yardsticks / "results-shared.csv", newline="") as file:
        return {(row["trace"], row["rule"]): float(row["joules"]) for row in csv.DictReader(file)
                if row["problem"] == "location" and row["setting"] == setting}


def computed(path, providers, wake):
    """Computes the results of the reference for a track without stored results."""
    totals = [0.0] * 4
    for truth in ground_truth(path, dt=1.0, max_steps=1500):
        problem = oracle_location.LocationProblem(truth, providers, wake, arguments.bound)
        period = problem.periodic_best()
        parts = [problem.bounds(iters=18)[0], problem.always_on(), period[0] if period else math.nan,
                 problem.speed_adaptive_tuned()[0]]
        totals = [total + part for total, part in zip(totals, parts)]
    return totals


def yardsticks(path, providers, wake):
    """Returns the energies of RULES on a track, in joules."""
    if (path.stem, RULES[0]) in results:
        return [results[path.stem, rule] for rule in RULES]
    kept = json.loads(arguments.keep.read_text()) if arguments.keep and arguments.keep.exists() else {}
    name = f"{path.stem} {arguments.profile} {arguments.bound}"
    if name not in kept:
        kept[name] = computed(path, providers, wake)
        if arguments.keep:
            arguments.keep.write_text(json.dumps(kept))
    return kept[name]


def run(path, folder):
    """Simulates a track with the policy. Returns the report, and the fixes with the times of their deliveries."""
    scenario = {
        "stint_scenario": 1, "name": "track", "start": "2026-05-18T00:00:00Z", "duration": "1 h",
        "world": {"origin": [47.05, 8.31]},
        "clients": [{"name": "tracker", "demands": [
            {"target": "location.gnss", "with": {"accuracy": "10 m", "background": True}}]}],
    }
    (folder / "scenario.json").write_text(json.dumps(scenario))
    command = [arguments.program, "sim", arguments.policy, "--scenario", str(folder / "scenario.json"), "--trace", str(path),
               "--open-sky", "--profile", arguments.profile, "--json", "--plan", str(folder / "plan")]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    fixes = {}
    for line in (folder / "plan").read_text().splitlines():
        line = json.loads(line)
        if "fix" in line:
            fixes[line["handed_s"]] = line["fix"]
    return report, sorted(fixes.items())


def stretch(path, truth, folder):
    """Writes the rows of one stretch as a separate track, because the reference scores each stretch separately."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if truth.t[0] - 1e-9 <= float(row["t_s"]) <= truth.t[-1] + 1.0]
    with open(folder / "track.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        for row in rows:
            writer.writerow(dict(row, t_s=f"{float(row['t_s']) - truth.t[0] + LEAD:.3f}"))
    return folder / "track.csv"


def score(path, folder, providers, wake):
    names = [provider.name for provider in providers]
    joules, bad, count, taken, simulated, sensing, hours = 0.0, 0, 0, 0, 0.0, 0.0, 0.0
    for truth in ground_truth(path, dt=1.0):
        report, fixes = run(stretch(path, truth, folder), folder)
        own = [(at - LEAD, names.index(name)) for at, name in fixes if 0 < at - LEAD <= truth.t[-1] - truth.t[0]]
        before, provider = 0.0, -1
        # The energy is computed from the exact times of fixes, not from their grid steps.
        for at, name in own:
            joules += float(providers[name].next_J(at - before, provider == name)) + wake
            before, provider = at, name
        step, accuracy = 0, 0.0
        for at, name in own + [(len(truth), -1)]:
            end = min(math.ceil(at - 1e-9), len(truth))
            far = metres(truth.lat[step], truth.lon[step], truth.lat[step:end], truth.lon[step:end])
            bad += int((far > arguments.bound - accuracy).sum())
            step, accuracy = end, providers[name].acc_m
            if step >= len(truth):
                break
        count += len(truth)
        taken += len(own)
        hours += report["duration_ns"] / 3.6e12 - LEAD / 3600
        energy = report["energy_nJ"]
        tracker = energy["by_client"].get("tracker", 0) / 1e9
        simulated += tracker
        sensing += (energy["total"] - energy["by_rule"].get("floor", 0)) / 1e9 - tracker
    return {"joules": joules, "bad": bad / count, "fixes": taken, "simulated": simulated, "sensing": sensing, "hours": hours}


def mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios)) if ratios else math.nan


providers, wake = oracle_location.load_providers(PROFILE)
results, groups, missed, worst, failed = known(), {"days": [], "trips": []}, {"days": 0, "trips": 0}, 0.0, False
print(f"{Path(arguments.policy).stem} on {arguments.profile}, {arguments.bound} m")
print(f"{'track':38s} {'minimum':>8s} {'policy':>8s} {'ratio':>6s} {'missed':>7s} {'fixes':>6s} {'on':>6s} {'period':>6s} {'speed':>6s} {'sensing':>8s}")
with tempfile.TemporaryDirectory() as name:
    for path in sorted({path for only in arguments.only for path in (arguments.traces / "gps").glob(f"{only}.csv")}):
        row = score(path, Path(name), providers, wake)
        least, on, period, speed = yardsticks(path, providers, wake)
        worst = max(worst, 100 * row["bad"])
        if least < 0.01:
            print(f"{path.stem:38s} {'at rest':>8s} {row['joules']:8.2f} {row['joules'] / row['hours']:5.2f} J/h"
                  f" {100 * row['bad']:5.1f} % {row['fixes']:5d}, with sensing {(row['simulated'] + row['sensing']) / row['hours']:.2f} J/h")
            continue
        group = "days" if "_day_" in path.stem else "trips"
        groups[group].append((row["joules"] / least, on / least, period / least, speed / least))
        missed[group] += row["bad"] > 0.05
        print(f"{path.stem:38s} {least:8.1f} {row['joules']:8.1f} {row['joules'] / least:6.2f} {100 * row['bad']:5.1f} %"
              f" {row['fixes']:6d} {on / least:6.2f} {period / least:6.2f} {speed / least:6.2f} {row['sensing']:8.2f}", flush=True)
for group, ratios in groups.items():
    if ratios:
        means = [mean([row[place] for row in ratios]) for place in range(4)]
        print(f"{group:38s} {len(ratios):8d} {'':8s} {means[0]:6.2f} {missed[group]:4d} above 5 % missed"
              f" {means[1]:6.2f} {means[2]:6.2f} {means[3]:6.2f}")
        most = {"days": arguments.most_days, "trips": arguments.most_trips}[group]
        if means[0] > most:
            failed = True
            print(f"{group}: the mean ratio {means[0]:.2f} is above {most}")
if worst > arguments.most_missed:
    failed = True
    print(f"missed: {worst:.1f} % of a track's seconds is above {arguments.most_missed} %")
sys.exit(failed)
