import StintDaemon
import StintGovernor
import StintModel
import StintPluginHost
import StintRuntime
import StintServices
import StintSimulation
import StintTools
import StintUnits

/// The day of one seed: its faults, its clients, and its successive daemons.
struct SwarmDay: Sendable {
  /// The result of one day.
  struct Outcome: Hashable, Sendable {
    var faults = 0
    /// The number of daemon crashes, each followed by a daemon that restored the saved state.
    var restarts = 0
    var decisions = 0
  }

  let watches: SwarmWatches
  private let request: SimulationRequest
  private let stage: SimulationStage
  private let loaded: PolicyLoader.Loaded
  private let faults: [InjectedFault]
  private let crashes: [RestartSwarm.Crash]
  private let crowd: SwarmCrowd
  private let disk = SwarmDisk()

  /// Draws the faults, the crashes and the clients of the day from the request's seed.
  init(_ request: SimulationRequest) throws {
    self.request = request
    stage = try SimulationStage(
      scenario: request.scenario, trace: request.trace, motion: request.motion, timeZone: request.timeZone,
      seed: request.seed,
      changing: { scenario in
        guard scenario.beacons.isEmpty else { return }
        scenario.beacons = ServiceSwarm.beacons(along: try SimulationStage.places(of: scenario))
        if scenario.devices?.contains("radio.ble") == false { scenario.devices?.append("radio.ble") }
      })
    loaded = try stage.load(policies: request.policies)
    let (scenario, manifests) = (stage.scenario, stage.vocabulary.manifests)
    var swarm = FaultSwarm(seed: request.seed)
    faults = scenario.faults + swarm.faults(on: manifests, within: scenario.duration)
    crashes =
      RestartSwarm(
        seed: request.seed, start: scenario.start, duration: scenario.duration, faults: faults
      ).crashes
    watches = SwarmWatches(
      InvariantWatch(start: scenario.start, manifests: manifests),
      ServiceWatch(start: scenario.start, manifests: manifests))
    let clients = ServiceSwarm(
      seed: request.seed, start: scenario.start, duration: scenario.duration, places: try stage.places())
    crowd = SwarmCrowd(
      clients.acts, cannotBackground: clients.cannotBackground,
      random: SwarmRandom(seed: request.seed, salt: 2)
    )
  }

  /// Runs the day to its end. After each crash, another daemon continues the day.
  func run() async throws(Problem) -> Outcome {
    var outcome = Outcome(faults: faults.count)
    var begin = stage.scenario.start
    for crash in crashes where crash.at > begin {
      let host = try await host(from: begin)
      let end = await runUntilCrash(host, crash)
      outcome.decisions += await host.decisions.count
      outcome.restarts += 1
      begin = end + crash.outage
      crowd.lose(at: end, until: begin)
      disk.restart()
    }
    let host = try await host(from: begin)
    await runAndCheck(host, until: stage.end)
    watches.devices.settled(await host.snapshot, at: stage.end)
    watches.services.finish(await host.serviceBoard, await host.snapshot, at: stage.end)
    outcome.decisions += await host.decisions.count
    return outcome
  }

  // MARK: Life cycle of a daemon

  /// Makes a daemon that begins at an instant, with the state that its predecessor saved on the disk.
  private func host(from instant: Instant) async throws(Problem) -> Host {
    let isFirst = instant == stage.scenario.start
    let plugins = try stage.plugins(meter: EnergyMeter(), seed: request.seed)
    let memory = isFirst ? nil : disk.governor
    var script = ScriptSource(stage.scenario.script, vocabulary: stage.vocabulary)
    if !isFirst { script.resume(at: instant, activeDemands: Set(memory?.demands ?? [])) }
    let (watches, disk) = (watches, disk)
    let host = Host(
      governor: Governor(vocabulary: stage.vocabulary, timeZone: stage.scenario.timeZone, at: instant),
      plugins: plugins,
      source: CrowdSource(script, crowd, vocabulary: stage.vocabulary, from: instant, until: disk) {
        watches.services.record($0, at: $1)
      },
      observer: CrashableObserver(
        ObserverPair(
          ObserverPair(watches.devices, watches.services), ObserverPair(crowd, GovernorKeeper(disk))),
        until: disk),
      filter: FaultFilter(
        faults, manifests: plugins.manifests, start: stage.scenario.start, seed: request.seed
      ) { disk.note(isFull: $0) })
    await host.open()
    if let program = loaded.program {
      do throws(Problem) {
        try await host.load(program, policies: [], at: instant, recalling: memory)
      } catch {
        preconditionFailure("cannot activate policies compiled for this phone: \(error)")
      }
    }
    await recall(host, at: instant)
    return host
  }

  /// Restores the services that the previous daemon saved.
  private func recall(_ host: Host, at instant: Instant) async {
    var services: SavedServices?
    do throws(Problem) { services = try disk.services() } catch {
      watches.services.lost("\(error)", at: instant)
    }
    let content = disk.content
    await host.serve(keeping: disk, restoring: services, at: instant)
    if let content { watches.services.recalled(content, await host.serviceBoard, at: instant) }
  }

  /// Runs a daemon until it crashes. Returns the instant of the crash.
  private func runUntilCrash(_ host: Host, _ crash: RestartSwarm.Crash) async -> Instant {
    await runAndCheck(host, until: crash.at)
    if crash.isWithinWrite {
      disk.crashAtNextWrite()
      await runAndCheck(host, until: crash.latest)
    }
    let end = await host.now
    let services = await host.serviceBoard.saved
    let isBehind = disk.isBehind || !disk.hasCrashed && !disk.has(services)
    disk.crash()
    watches.devices.lose()
    watches.services.lose(isBehind: isBehind, at: end)
    return end
  }

  /// Runs a daemon and checks its services once a minute.
  private func runAndCheck(_ host: Host, until end: Instant) async {
    var next = await host.now
    while next < end, !disk.hasCrashed {
      next = min(next + .minutes(1), end)
      await host.run(until: next)
      guard !disk.hasCrashed else { return }
      let board = await host.serviceBoard
      watches.services.inspect(board, await host.snapshot, at: next)
      if !board.clients.isEmpty, !board.needsSave, !disk.has(board.saved) {
        watches.services.lost("the disk lacks state of the services", at: next)
      }
    }
  }
}
