package import StintDaemon
import StintFormats
import StintLanguage
import StintModel
package import StintPluginKit
import StintRuntime
import StintSimulation
import StintUnits

/// A run of a daemon with a report at its end. The devices are real, or those of a simulated phone at an
/// adjustable speed.
package struct LiveRun: Sendable {
  /// The output functions of a run, called on its thread.
  package struct RunOutput: Sendable {
    /// Receives each decision, with its local time.
    package var decision: @Sendable (String) -> Void
    /// Receives all other events: the start, reloads, refusals and the end.
    package var log: @Sendable (String) -> Void
    /// True when each line of the log begins with a date, a time and a level.
    package var isLogDated: Bool
    /// Returns the number of lines that were dropped because the reader of the output was too slow.
    package var dropped: @Sendable () -> Int

    /// Creates an output from functions.
    package init(
      isLogDated: Bool = false, decision: @escaping @Sendable (String) -> Void,
      log: @escaping @Sendable (String) -> Void, dropped: @escaping @Sendable () -> Int = { 0 }
    ) {
      self.dropped = dropped
      self.isLogDated = isLogDated
      self.decision = decision
      self.log = log
    }

    fileprivate func receive(_ event: DaemonEvent) {
      // Refusals go to the log, because the option --quiet hides decisions.
      switch event.level {
      case .decision: decision(event.line)
      case .notice, .refusal, .problem: log(isLogDated ? event.datedLine(at: SystemClock.wall()) : event.line)
      }
    }
  }

  private let request: LiveRequest
  private let output: RunOutput
  /// The simulated phone; nil on real hardware.
  private let stage: SimulationStage?
  private let meter = EnergyMeter()
  private let daemon: Daemon

  /// Reads the scenario or site, the policies and the saved state; `run()` starts the run.
  ///
  /// - Parameter linked: the linked plugins that a site may name.
  /// - Throws: `Problem` when an input cannot be read or another process uses a path; `PolicyRefusal` when a
  ///   policy has errors.
  package init(_ request: LiveRequest, linked: [LinkedPlugin] = [], output: RunOutput) throws {
    self.request = request
    self.output = output
    var stage: SimulationStage?
    let meter = meter
    daemon = try Daemon(
      request.daemon,
      setup: { loop in
        switch request.devices {
        case .simulated(let scenario):
          let phone = try SimulationStage(
            scenario: scenario, trace: request.trace, timeZone: request.timeZone, seed: request.seed)
          stage = phone
          return phone.setup(meter: meter, seed: request.seed)
        case .site(let path):
          return try DaemonSetup(site: path, timeZone: request.timeZone, linked: linked, loop: loop)
        }
      },
      policies: { setup in PolicyTexts(setup.vocabulary).access(to: request.daemon.policies) },
      droppedOutput: output.dropped, report: { output.receive($0) })
    self.stage = stage
  }

  /// Runs until the scenario's end or a terminating signal, turns every device off, and returns.
  ///
  /// - Throws: `Problem` when the journal, the socket or the watched files cannot be opened.
  package func run() throws -> LiveReport {
    let recorder = RunRecorder(
      world: stage?.world, start: stage?.scenario.start ?? .epoch, meter: meter, wantsPlan: false)
    let outcome = try daemon.run(beside: recorder)
    let summary = SimulationRequest(
      policies: outcome.policies.loaded.sources.map(\.file), scenario: place, trace: request.trace,
      timeZone: request.timeZone, seed: request.seed)
    let report = SimulationReport(
      summary, place: stage?.scenario.name ?? place, profile: stage?.profile.name ?? "site", outcome.finish,
      recorder, from: outcome.start, to: outcome.end)
    return LiveReport(
      simulation: report, saveProblem: outcome.saveFailure, reloads: outcome.policies.reports)
  }

  /// The scenario or the site file, in the words of the request.
  private var place: String {
    switch request.devices {
    case .simulated(let scenario): scenario
    case .site(let path): path
    }
  }
}

extension PolicyTexts {
  /// Returns the functions with which a daemon reads the policies at `path`. With a nil path, there are no
  /// policies.
  package func access(to path: String?) -> Daemon.PolicyAccess {
    let reader = self
    let paths = path.map { [$0] } ?? []
    return Daemon.PolicyAccess(
      read: { try reader.sources(of: paths) },
      load: { sources in
        do {
          return try reader.load(sources)
        } catch let refusal as PolicyRefusal {
          throw PolicyRejection(text: refusal.check.text(.plain))
        }
      },
      loadFirst: { try reader.load(policies: paths) })
  }
}
