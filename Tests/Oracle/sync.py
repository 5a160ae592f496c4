"""Compares a policy for transfers with the offline reference, on the transfers of four apps in fourteen days.

    python3 sync.py PROGRAM YARDSTICKS TRACES POLICY

YARDSTICKS is the folder of the offline reference, and TRACES is the folder of the recorded transfers. The best plan
knows the future transfers of all apps. Energies are those of the radio, including foreground sessions.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

program, yardsticks, traces, policy = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4]
sys.path.insert(0, str(yardsticks))
sys.dont_write_bytecode = True

import mixed_radio  # noqa: E402
import oracle_radio  # noqa: E402

apps, foreground, _ = mixed_radio.load_mix(traces)
background = mixed_radio.together(apps.values())
everything = mixed_radio.together([background, foreground])
DAYS = mixed_radio.DAYS + 1


def transfers(jobs, device):
    return [{"target": device, "first": f"{arrival:.6f} s", "up": f"{int(up)} B", "down": f"{int(down)} B",
             "deadline": f"{max(deadline - arrival, 0):.6f} s"}
            for arrival, deadline, up, down in zip(jobs["arrival"], jobs["deadline"], jobs["up"], jobs["down"])]


def run(folder, profile, device):
    """Simulates the transfers on a radio.

    Returns the radio's energy without its floor, the counts of transfers, and the times and bytes of its flushes.
    """
    clients = [{"name": name, "transfers": transfers(jobs, device)} for name, jobs in apps.items()]
    clients.append({"name": "foreground", "transfers": transfers(foreground, device)})
    scenario = {
        "stint_scenario": 1, "name": "mix", "start": "2026-05-18T00:00:00Z", "duration": f"{DAYS} d",
        "world": {"origin": [47.05, 8.31], "legs": [{"activity": "still", "for": f"{DAYS} d", "wifi": device == "radio.wifi"}]},
        "clients": clients, "devices": ["host.app", "host.processor", "power.battery", "radio.cellular", "radio.wifi"],
    }
    (folder / "scenario.json").write_text(json.dumps(scenario))
    command = [program, "sim", policy, "--scenario", str(folder / "scenario.json"), "--profile", profile, "--json", "--plan",
               str(folder / "plan")]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    lines = [json.loads(line) for line in (folder / "plan").read_text().splitlines()]
    joules = sum(report["energy_nJ"]["by_client"].get(client["name"], 0) for client in clients) / 1e9
    flushes = [(line["t_s"], line["bytes_up"], line["bytes_down"]) for line in lines if "flush" in line]
    return joules - 0.03 * report["wakeups"]["total"], report["transfers"], flushes


print(f"{Path(policy).stem}: {len(background['arrival'])} transfers of {len(apps)} apps, "
      f"{len(foreground['arrival'])} foreground bursts, {mixed_radio.DAYS} days")
print(f"{'radio':10s} {'best plan':>10s} {'policy':>10s} {'simulated':>10s} {'over best':>9s} {'immediate':>10s} {'per app':>10s} {'saved':>7s} {'best':>7s} late")
worst = 0.0
with tempfile.TemporaryDirectory() as name:
    for profile, figures in mixed_radio.PROF["radio"].items():
        radio = oracle_radio.Radio(figures)
        _, plan = oracle_radio.optimal_times(radio, everything)
        best = mixed_radio.energy(radio, mixed_radio.own_events(everything, plan))
        front = [(at, up, down) for at, up, down in zip(foreground["arrival"], foreground["up"], foreground["down"])]
        alone = mixed_radio.energy(radio, front)
        once = mixed_radio.energy(radio, front + [
            event for jobs in apps.values() for event in mixed_radio.own_events(jobs, oracle_radio.immediate(jobs))])
        each = mixed_radio.energy(radio, front + [
            event for jobs in apps.values()
            for event in mixed_radio.own_events(jobs, oracle_radio.tailender(jobs, radio.tail_s))])
        device = "radio.wifi" if profile.startswith("wifi") else "radio.cellular"
        simulated, carried, flushes = run(Path(name), profile, device)
        ours = mixed_radio.energy(radio, flushes)
        over = 100 * (ours / best - 1)
        worst = max(worst, over)
        print(f"{profile:10s} {best:8.1f} J {ours:8.1f} J {simulated:8.1f} J {over:7.2f} % {once:8.1f} J {each:8.1f} J"
              f" {100 * (once - ours) / (once - alone):5.1f} % {100 * (once - best) / (once - alone):5.1f} % {carried['late']}", flush=True)
print(f"at most {worst:.2f} % over the best plan")
