"""Compares the energy in the program's reports with the energy that the offline reference computes.

    python3 prices.py PROGRAM YARDSTICKS

YARDSTICKS is the folder of the offline reference, which computes the energy from the plan file of the same run. The
two energies may differ by at most 0.1 %.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

program, yardsticks = sys.argv[1], Path(sys.argv[2])
sys.path.insert(0, str(yardsticks))
sys.dont_write_bytecode = True

import numpy  # noqa: E402
import oracle_location  # noqa: E402
import oracle_motion  # noqa: E402
import oracle_radio  # noqa: E402
from traces import Truth  # noqa: E402

FIGURES = json.loads((yardsticks / "profiles.json").read_text())
HERE = Path(__file__).parent
SECONDS = 7200
failures = 0


def scenario(name, clients, wifi):
    leg = {"activity": "walking", "for": "3 h", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open",
           "wifi": wifi}
    return {
        "stint_scenario": 1, "name": name, "start": "2026-05-18T08:00:00Z", "duration": f"{SECONDS} s",
        "world": {"origin": [47.05, 8.31], "legs": [leg]}, "clients": clients,
    }


def run(folder, profile, clients, policy="none", wifi=False):
    """Simulates a scenario. Returns the report and the lines of the plan."""
    path = folder / "scenario.json"
    path.write_text(json.dumps(scenario("prices", clients, wifi)))
    policy = policy if policy == "none" else str(HERE / policy)
    command = [program, "sim", policy, "--scenario", str(path), "--profile", profile, "--json", "--plan",
               str(folder / "plan")]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert report["profile"] == profile
    return report, [json.loads(line) for line in (folder / "plan").read_text().splitlines()]


def joules(report, clients):
    """Returns the energy that the clients caused, without the floor power of devices, in joules."""
    return sum(report["energy_nJ"]["by_client"].get(client["name"], 0) for client in clients) / 1e9


def compare(what, ours, theirs):
    global failures
    off = abs(ours - theirs) / theirs
    failures += off > 0.001
    print(f"{what:44s} {ours:12.4f} J {theirs:12.4f} J {100 * off:8.4f} %{'  difference too large' if off > 0.001 else ''}")


def location(folder, profile, target, rate, policy="none"):
    clients = [{"name": "tracker", "demands": [
        {"target": f"location.{target}", "until": f"{SECONDS - 200} s", "with": {"rate": rate}}]}]
    report, plan = run(folder, profile, clients, policy)
    providers, wake = oracle_location.load_providers(FIGURES["location"][profile])
    names = [provider.name for provider in providers]
    still = numpy.zeros(SECONDS + 1)
    truth = Truth(numpy.arange(SECONDS + 1.0), still, still, 1.0)
    fixes = [(round(line["t_s"]), names.index(line["fix"])) for line in plan if "fix" in line]
    theirs, _ = oracle_location.LocationProblem(truth, providers, wake, 50.0).evaluate(fixes)
    # The reference begins with a warm receiver, but the simulated receiver is cold at its first start.
    used = providers[fixes[0][1]]
    if used.ttff_cold_s:
        theirs += used.restart_J(0.0, cold=True) - used.restart_J(0.0)
    # The reference computes energy only up to the last fix, so add the tracking
    # from this fix to the end of the demand.
    last = [line for line in plan if line.get("device") == f"location.{target}" and line["t_s"] >= fixes[-1][0]]
    if used.p_track_W and last and last[0]["state"] == "off":
        theirs += used.p_track_W * (last[0]["t_s"] - fixes[-1][0])
    compare(f"{profile}, {target}, {rate}{'' if policy == 'none' else ', ' + policy}", joules(report, clients), theirs)


def radio(folder, profile, device, policy="none"):
    def series(first, every, count, up, down):
        return {"target": device, "first": f"{first} s", "every": f"{every} s", "count": count, "up": up, "down": down,
                "deadline": "1 h"}

    clients = [
        {"name": "mail", "transfers": [series(60, 300, 20, "20 kB", "3 kB")]},
        {"name": "feed", "transfers": [series(65, 433, 14, "1 kB", "250 kB")]},
        {"name": "chat", "transfers": [series(100, 97, 60, "300 B", "300 B")]},
    ]
    report, plan = run(folder, profile, clients, policy, device == "radio.wifi")
    model = oracle_radio.Radio(FIGURES["radio"][profile.split("+")[-1]])
    name = device.split(".")[-1]
    flushes = [line for line in plan if line.get("flush") == name]
    begun = [line["t_s"] for line in plan if line.get("device") == device and line["state"] in ("sending", "receiving")]
    # Unless the radio is already busy, a transfer begins some time after the
    # plan's flush line, when the radio is ready.
    times = [min(begin for begin in begun if begin >= line["t_s"] - 1e-6) if not busy(plan, device, line["t_s"]) else line["t_s"]
             for line in flushes]
    jobs = {"arrival": numpy.array(times), "deadline": numpy.array(times) + 1,
            "up": numpy.array([float(line["bytes_up"]) for line in flushes]),
            "down": numpy.array([float(line["bytes_down"]) for line in flushes])}
    theirs = oracle_radio.simulate(model, jobs, times)["J"]
    # The reference does not count the wake-ups of the processor for transfers.
    rouse = report["wakeups"]["total"] * FIGURES["location"].get(profile.split("+")[0], {"wake_J": 0.03})["wake_J"]
    compare(f"{profile}{'' if policy == 'none' else ', ' + policy}", joules(report, clients) - rouse, theirs)


def busy(plan, device, at):
    """Returns whether the radio was transferring just before this time."""
    states = [line["state"] for line in plan if line.get("device") == device and line["t_s"] < at - 1e-9]
    return bool(states) and states[-1] in ("sending", "receiving")


def motion(folder, profile, figures, rate, latency):
    clients = [{"name": "steps", "demands": [
        {"target": "motion.accelerometer", "with": {"rate": f"{rate} Hz", "latency": f"{latency} s"}}]}]
    report, plan = run(folder, profile, clients)
    theirs = oracle_motion.stream_energy(FIGURES["motion"][figures], rate, SECONDS, latency)
    read = sum(line["samples"] for line in plan if line.get("read") == "accelerometer")
    # Samples that are still in the queue at the end have not been read, so they cost nothing.
    drain = FIGURES["motion"][figures]["drain_J_per_sample"] * read
    # The reference does not count the wake-up for a read at the end of the run.
    last = FIGURES["motion"][figures]["wake_J"] if plan[-1]["t_s"] == SECONDS else 0
    compare(f"{profile}, {rate} Hz, {latency} s", joules(report, clients),
            theirs["sensor_J"] + theirs["wake_J"] + last + drain)


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    for profile in ("pixel5", "nexus5", "m8tracker"):
        for rate in ("1 per 5 s", "1 per 60 s", "1 per 10 min"):
            location(folder, profile, "gnss", rate)
        location(folder, profile, "gnss", "1 per 2 s", "pace.stint")
    for profile in ("pixel5", "nexus5"):
        location(folder, profile, "wifi", "1 per 60 s")
        location(folder, profile, "cell", "1 per 60 s")
    for profile in ("lte2012", "umts2012", "umts2009"):
        radio(folder, profile, "radio.cellular")
        radio(folder, profile, "radio.cellular", "together.stint")
        radio(folder, f"nexus5+{profile}", "radio.cellular", "together.stint")
    radio(folder, "wifi2012", "radio.wifi")
    for rate in (10, 50, 100):
        for latency in (1, 10):
            motion(folder, "pixel5", "phone_hub", rate, latency)
    motion(folder, "m8tracker", "lis2dh12_mcu", 25, 1)
print(f"energies that differ by more than 0.1 % from the reference: {failures}" if failures
      else "all energies are within 0.1 % of the reference")
sys.exit(1 if failures else 0)
