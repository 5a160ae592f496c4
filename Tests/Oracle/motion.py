"""Compares accelerometer policies with an offline reference, on recorded accelerations and recorded days.

    python3 motion.py PROGRAM YARDSTICKS TRACES [STREAM CHANGES]

YARDSTICKS is the folder of the offline reference, and TRACES is the folder of the recordings. STREAM and CHANGES are
policies; the defaults are the shipped policies motion-stream and motion-change. There are two scores:

- STREAM: 50 samples a second, each delivered within ten seconds. The score is the number of wake-ups for the
  accelerometer, divided by the minimum of all possible plans. It is computed without and with wake-ups of
  another client, on which samples can piggyback. The score must be at most 1.05.
- CHANGES: a report of each change between still and moving. The score is the energy divided by the energy of a
  sensor that detects changes without the processor, with one wake-up for each change. The score must be at most 2, and no
  change may be missed.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

program, yardsticks, traces = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
shipped = Path(__file__).resolve().parents[2] / "policies"
stream, changes = sys.argv[4:6] or (str(shipped / "motion-stream.stint"), str(shipped / "motion-change.stint"))
sys.path.insert(0, str(yardsticks))
sys.dont_write_bytecode = True

import oracle_motion  # noqa: E402

FIGURES = json.loads((yardsticks / "profiles.json").read_text())["motion"]
PARTS = {"pixel5": "phone_hub", "m8tracker": "lis2dh12_mcu"}
RATE, LATENCY = 50, 10
ACCELEROMETER = "motion.accelerometer"
failures = 0


def run(folder, policy, profile, scenario, *options):
    """Simulates a scenario. Returns the report and the lines of the plan."""
    path = folder / "scenario.json"
    path.write_text(json.dumps({
        "stint_scenario": 1, "name": "motion", "start": "2026-05-18T08:00:00Z", "duration": "1 h",
        "world": {"origin": [47.05, 8.31]},
        "devices": ["host.app", "host.processor", ACCELEROMETER, "power.battery", "radio.cellular"], **scenario}))
    command = [program, "sim", policy, "--scenario", str(path), "--profile", profile, "--json", "--plan",
               str(folder / "plan"), *options]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report, [json.loads(line) for line in (folder / "plan").read_text().splitlines()]


def judge(isFine):
    global failures
    failures += not isFine
    return "" if isFine else "  too high"


def traffic(seconds):
    """Returns the times of urgent transfers at irregular intervals, and the client that requests them.

    The transfers wake the processor anyway, so reads of the stream's samples can piggyback on them.
    """
    times, at = [], 3.7
    while at < seconds - 1:
        times.append(at)
        at += 4.3 + (len(times) * 7919 % 97) / 4
    return times, [{"name": "chat", "transfers": [
        {"target": "radio.cellular", "first": f"{at:.3f} s", "up": "300 B", "down": "300 B", "deadline": "0 s"}
        for at in times]}]


def score_stream(folder, path, profile, figures):
    with open(path, newline="") as file:
        seconds = max(float(row["t_s"]) for row in csv.DictReader(file))
    gap = oracle_motion.flush_gap_s(RATE, figures["fifo_samples"], LATENCY)
    times, clients = traffic(seconds)
    line = f"{path.stem:26s} {profile:10s} {seconds:6.0f} s"
    for free, who in (([], []), (times, clients)):
        least, _ = oracle_motion.optimal_flushes(seconds, gap, free)
        report, plan = run(folder, stream, profile, {"clients": who}, "--motion", str(path))
        ours = report["wakeups"]["by_device"].get(ACCELEROMETER, 0)
        reads = [entry for entry in plan if entry.get("read") == "accelerometer"]
        # The reference does not count a read at the end of the run.
        ours -= bool(reads) and reads[-1]["t_s"] >= seconds - 1e-6
        late = max((after - before for before, after in
                    zip([0.0] + [read["t_s"] for read in reads], [read["t_s"] for read in reads] + [seconds])), default=0)
        ratio = ours / least if least else float(ours == 0) or float("inf")
        line += f" {least:6d} {ours:6d} {ratio:6.3f} {late:6.2f} s"
        line += judge(ratio <= 1.05 and late <= LATENCY + 1e-6)
    print(line, flush=True)


def legs(path):
    """Returns the legs of a recorded day without unknown stretches, the changes of state, and the length in seconds."""
    with open(path, newline="") as file:
        rows = [(float(row["t_end_s"]) - float(row["t_start_s"]), row["state"]) for row in csv.DictReader(file)
                if row["state"] != "off"]
    parts, turns, at = [], [], 0.0
    for length, state in rows:
        if parts and parts[-1][1] != state:
            turns.append((at, state))
        parts.append((length, state))
        at += length
    return parts, turns, at


def score_changes(folder, path, profile, figures):
    parts, turns, seconds = legs(path)
    world = {"origin": [47.05, 8.31], "legs": [
        {"activity": "walking", "for": f"{length} s", "speed": "1.4 m/s"} if state == "move"
        else {"activity": "still", "for": f"{length} s"} for length, state in parts]}
    # The run continues for a minute after the last leg, so that the last change can be reported.
    report, plan = run(folder, changes, profile, {"world": world, "duration": f"{seconds + 60} s"})
    told = [entry["t_s"] for entry in plan if entry.get("read") == "accelerometer"]
    delays, missed = [], 0
    for number, (at, _) in enumerate(turns):
        end = turns[number + 1][0] if number + 1 < len(turns) else seconds + 60
        after = [time for time in told if at <= time < end]
        if after:
            delays.append(after[0] - at)
        else:
            missed += 1
    floor = oracle_motion.change_detection_bound(figures, len(turns), seconds)
    ours = report["energy_nJ"]["by_client"]["watch"] / 1e9
    print(f"{path.stem:26s} {profile:10s} {seconds / 3600:6.1f} h {len(turns):5d} changes, {missed} missed, reported after "
          f"{sum(delays) / len(delays):4.1f} s, at most {max(delays):4.1f} s; floor {floor:8.4f} J, policy {ours:8.4f} J"
          f" {ours / floor:6.2f}{judge(ours <= 2 * floor and not missed)}", flush=True)


with tempfile.TemporaryDirectory() as name:
    print(f"{RATE} Hz, latency {LATENCY} s    stream alone: minimum, policy, ratio, longest wait; then the same with radio traffic")
    for path in sorted((traces / "motion").glob("*.csv")):
        for profile, part in PARTS.items():
            score_stream(Path(name), path, profile, FIGURES[part])
    print("changes between still and moving")
    for path in sorted((traces / "events").glob("moves_*.csv")):
        for profile, part in PARTS.items():
            score_changes(Path(name), path, profile, FIGURES[part])
print("all scores are within their limits" if not failures else f"scores that are too high: {failures}")
sys.exit(1 if failures else 0)
