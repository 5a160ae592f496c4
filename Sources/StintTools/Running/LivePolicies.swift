import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintRuntime
import StintUnits

/// The policies of a daemon at work: what is in force, what was before, and where that is kept.
final class LivePolicies: Sendable {
  private struct State {
    var loaded: PolicyLoader.Loaded
    var generations: PolicyGenerations
    /// The policies as the watched folder had them last.
    var seen: [JournalPolicy]
    var reports: [JSONValue] = []
    var nextSave = MonotonicInstant(nanoseconds: 0)
    var hasFailed = false
    var isOver = false
  }

  /// What came of putting policies in force.
  struct Outcome {
    var isDone: Bool
    var text: String
  }

  private let stage: SimulationStage
  private let path: String?
  /// Of the disk on which the state is kept.
  let room = DiskRoom()
  private let talk: @Sendable (String) -> Void
  private let state: Locked<State>

  init(
    stage: SimulationStage, loaded: PolicyLoader.Loaded, kept: DaemonState?, at path: String?,
    talk: @escaping @Sendable (String) -> Void
  ) {
    self.stage = stage
    self.path = path
    self.talk = talk
    state = Locked(
      State(
        loaded: loaded, generations: kept?.generations ?? PolicyGenerations(),
        seen: kept?.seen ?? loaded.journalPolicies))
  }

  /// What is in force.
  var loaded: PolicyLoader.Loaded { state.withLock { $0.loaded } }
  var generations: PolicyGenerations { state.withLock { $0.generations } }
  /// Reloads so far, as JSON.
  var reports: [JSONValue] { state.withLock { $0.reports } }

  /// Notes what the watched folder holds; true when it is something new.
  func see(_ sources: [JournalPolicy]) -> Bool {
    state.withLock { state in
      defer { state.seen = sources }
      return state.seen != sources
    }
  }

  // MARK: Switching

  /// Puts the first policies in force, with what the process before remembered.
  func begin(_ host: isolated Host, recalling memory: GovernorMemory?, at instant: Instant) async {
    let loaded = loaded
    guard let program = loaded.program else { return }
    do throws(ReloadError) {
      try await host.load(program, policies: loaded.journalPolicies, at: instant, recalling: memory)
    } catch {
      preconditionFailure("policies compiled for this phone are not put in force: \(error)")
    }
    enter(loaded, .file, at: instant)
    save(host.snapshot, isUrgent: true)
  }

  private func enter(_ loaded: PolicyLoader.Loaded, _ origin: PolicyGeneration.Origin, at instant: Instant) {
    let generation = PolicyGeneration(policies: loaded.journalPolicies, origin: origin, since: instant)
    state.withLock { state in
      state.loaded = loaded
      state.generations.enter(generation)
    }
  }

  /// Checks policies and puts them in force between two steps; a failure leaves everything as it was.
  func change(
    to sources: [SourceText], _ origin: PolicyGeneration.Origin, _ host: isolated Host, at instant: Instant
  ) async -> Outcome {
    let time = LocalMoment(instant, stage.scenario.timeZone)
    do {
      let fresh = try stage.load(sources)
      guard let program = fresh.program else {
        return Outcome(isDone: false, text: "\(time) there are no policies; what was in force stays")
      }
      let former = loaded
      let report = try await host.load(program, policies: fresh.journalPolicies, at: instant)
        .worded(by: former)
      if origin == .rollback {
        state.withLock { state in
          state.generations.goBack(at: instant)
          state.loaded = fresh
        }
      } else {
        enter(fresh, origin, at: instant)
      }
      state.withLock { state in
        state.reports.append([
          "at": JSONValue("\(time)"), "origin": JSONValue(origin.rawValue), "state": report.json,
        ])
      }
      save(host.snapshot, isUrgent: true)
      let verb = origin == .rollback ? "went back to" : origin == .push ? "switched to" : "reloaded"
      let names = fresh.policies.map { "\($0.name) version \($0.version)" }.joined(separator: ", ")
      let lines = report.entries.isEmpty ? "" : "\n" + report.text
      return Outcome(isDone: true, text: "\(time) \(verb) \(names): \(report.summary)\(lines)")
    } catch let refusal as PolicyRefusal {
      return Outcome(
        isDone: false,
        text: "\(refusal.check.text(.plain))\n\(time) the edit is refused; what was in force stays")
    } catch {
      return Outcome(
        isDone: false, text: "\(time) \(error)\n\(time) nothing was loaded; what was in force stays")
    }
  }

  /// Goes back to the generation before.
  func rollBack(_ host: isolated Host, at instant: Instant) async -> Outcome {
    guard let previous = generations.previous else {
      return Outcome(isDone: false, text: "there is no generation before the one in force")
    }
    return await change(
      to: previous.policies.map { SourceText(file: $0.file, text: $0.text) }, .rollback, host, at: instant)
  }

  /// Puts one policy in force in place of that of its name, or beside the others.
  func push(_ source: SourceText, _ host: isolated Host, at instant: Instant) async -> Outcome {
    let name = PolicyLoader(vocabulary: stage.vocabulary).load([source]).policies.first?.name
    let former = loaded
    let replaced = former.policies.first { $0.name == name }?.file
    var sources = former.sources
    if let place = sources.firstIndex(where: { $0.file == replaced || $0.file == source.file }) {
      sources[place] = source
    } else {
      sources.append(source)
    }
    return await change(to: sources, .push, host, at: instant)
  }

  // MARK: Keeping

  /// Writes the state file for the last time: what is released now was no part of it.
  func finish(_ governor: borrowing Governor) {
    save(governor, isUrgent: true)
    state.withLock { $0.isOver = true }
  }

  /// Writes the state file: at once when it is urgent, else at most once a second.
  func save(_ governor: borrowing Governor, isUrgent: Bool) {
    guard let path else { return }
    let now = SystemClock.monotonic()
    let isDue = state.withLock { state in
      guard !state.isOver, isUrgent || state.nextSave <= now else { return false }
      state.nextSave = MonotonicInstant(nanoseconds: now.nanoseconds + 1_000_000_000)
      return true
    }
    guard isDue else { return }
    let (generations, seen) = state.withLock { ($0.generations, $0.seen) }
    let kept = DaemonState(
      world: stage.journalWorld, generations: generations, seen: seen, memory: governor.memory)
    do throws(FileError) {
      try FileText.write(kept.encoded, to: path, room: room)
      state.withLock { $0.hasFailed = false }
    } catch {
      // Said once, until it works again: the policies go on.
      let isNews = state.withLock { state in
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      if isNews { talk("the state cannot be kept: \(path): \(error.cause)") }
    }
  }
}
