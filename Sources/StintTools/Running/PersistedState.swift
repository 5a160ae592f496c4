import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintUnits

/// What a daemon finds of the process before it.
struct PersistedState: Sendable {
  var state: DaemonState
  /// The policies that were in force, compiled again.
  var loaded: PolicyLoader.Loaded
  /// Whether the day that it speaks of goes on; else only its generations count. On a site it always does.
  var continuesDay: Bool

  /// Reads a state file; nil when there is none. One that cannot be used is put aside and said to be.
  init?(at path: String, stage: SimulationStage, log: (String) -> Void) {
    let bytes: [UInt8]
    do {
      bytes = try FileText.read(path)
    } catch {
      if error.code != .notFound { log("\(path): \(error.cause); the daemon starts afresh") }
      return nil
    }
    do {
      let state = try DaemonState(bytes)
      guard state.isAbout(stage.journalWorld) else {
        throw Problem(.foreign, cause: "it is about other devices, another scenario or another seed")
      }
      guard let current = state.generations.current else {
        throw Problem(.foreign, cause: "no policies were in force")
      }
      let sources = current.policies.map { SourceText(file: $0.file, text: $0.text) }
      do {
        loaded = try stage.load(sources)
      } catch {
        throw Problem(.version, cause: "its policies do not load any more")
      }
      self.state = state
      let instant = state.memory.instant
      continuesDay = stage.site != nil || instant >= stage.scenario.start && instant < stage.end
    } catch {
      let isAside = StateFile.rejectFile(path)
      log("\(path) is refused: \(error); the daemon starts afresh")
      if isAside { log("the file is now \(path).refused") }
      return nil
    }
  }

  /// Sets a site's clock to where the run goes on, and returns that instant: behind the state by the time
  /// without a run, or the state's own where no clock can tell how long that was.
  func resume(_ clock: WallClock, log: (String) -> Void) -> Instant {
    let read = SystemClock.both()
    let instant = state.memory.instant
    let pause = state.clock.pause(since: instant, boot: Boot.name, wall: read.wall, steady: read.steady)
    if pause == nil {
      let behind = Amounts.span(instant + state.clock.ahead - read.wall)
      log(
        "the state is from \(behind) after what the host's clock shows: the run goes on from the state, as if no time had "
          + "passed, and local time follows the host's clock")
    }
    let start = instant + (pause ?? .zero)
    clock.resume(at: start, ahead: state.clock.ahead)
    return start
  }
}
