import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintUnits

/// The state that the previous daemon process saved.
struct PersistedState: Sendable {
  var state: DaemonState
  /// The policies of the state, compiled again.
  var loaded: PolicyLoader.Loaded
  /// True when the run continues from the saved state. With a live clock (real devices), this is always true.
  /// In a simulation, this is true when the saved instant lies within the scenario. When false, the scenario
  /// starts again, and the run uses only the saved policies and their generations.
  var continuesDay: Bool

  /// Reads a state file; nil when the file is missing, unreadable or invalid. `note` receives the reason
  /// unless the file is missing. An invalid file is renamed.
  ///
  /// - Throws: a problem for a file that is not a state file, so that no save overwrites it.
  init?(
    at path: String, setup: DaemonSetup, load: ([SourceText]) throws -> PolicyLoader.Loaded,
    note: (String) -> Void
  ) throws(Problem) {
    let bytes: [UInt8]
    do throws(Problem) {
      bytes = try FileText.read(path)
    } catch {
      if error.code != .notFound { note("\(path): \(error.cause); the daemon starts without saved state") }
      return nil
    }
    do {
      let state = try DaemonState(bytes)
      guard state.matches(setup.journalWorld) else {
        throw Problem(
          .unexpectedContent, cause: "its devices, scenario or seed differ from those of this daemon")
      }
      guard let current = state.generations.current else {
        throw Problem(.unexpectedContent, cause: "no policies were in force")
      }
      let sources = current.policies.map { SourceText(file: $0.file, text: $0.text) }
      do {
        loaded = try load(sources)
      } catch {
        throw Problem(.version, cause: "its policies no longer load")
      }
      self.state = state
      let instant = state.memory.instant
      let script = setup.script
      continuesDay = setup.liveClock != nil || instant >= script.start && instant < script.end
    } catch {
      let foreign = Problem(
        .file, place: path, cause: "it is not the state of a daemon",
        remedy: "give the path of a state file, or of a file that does not exist")
      let name = try StateFile.reject(path, bytes, beginning: DaemonState.beginning, because: foreign)
      let kept = name.map { "; the file is now \($0)" } ?? ""
      note("\(path) is refused: \(error); the daemon starts without saved state\(kept)")
      return nil
    }
  }

  /// Sets a site's clock to the instant at which the run continues, and returns that instant. The run
  /// continues at the state's instant plus the pause between the runs, or at the state's instant when no
  /// clock can measure the pause.
  func resume(_ clock: WallClock, log: RunLog) -> Instant {
    let read = SystemClock.both()
    let instant = state.memory.instant
    let pause = state.clock.pause(since: instant, boot: Boot.name, wall: read.wall, steady: read.steady)
    if pause == nil {
      let lead = (instant + state.clock.ahead - read.wall).roundedToSeconds
      log(
        "the state is \(lead) ahead of the host's clock: the run continues from the state as if no "
          + "time had passed, and local time follows the host's clock")
    }
    let start = instant + (pause ?? .zero)
    clock.resume(at: start, ahead: state.clock.ahead)
    return start
  }
}
