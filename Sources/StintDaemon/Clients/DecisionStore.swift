import StintFormats
import StintJournal
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// The permissions that operators gave or denied to clients, and their file next to the state file:
/// `STATE.permissions`.
///
/// The format of the file is
/// `{"stint_permissions": 1, "decisions": {"trail-app": {"location": "denied"}}}`. Without a state file, the
/// decisions last until the end of the run.
final class DecisionStore: Sendable {
  private struct Content: Codable {
    var version: Int64
    var decisions: [String: PermissionDecision]

    enum CodingKeys: String, CodingKey {
      case version = "stint_permissions"
      case decisions
    }
  }

  /// The result of a change of a decision.
  enum Change: Sendable {
    /// The decision is in force, and saved if there is a file. Nil means that the decision was deleted.
    case done(PermissionDecision?)
    /// Nothing was changed.
    case refused(Problem)
    /// The daemon ends before the change. The saved decision comes into force at the next start.
    case atNextStart
    /// The daemon ends while the disk does not answer. It is unknown whether the decision is saved.
    case unknown
  }

  private struct Pending {
    let report: @Sendable (Change, _ author: String?) -> Void
    /// The description of the process that requested the change. Nil when the process is unknown, and until
    /// the description is made.
    var author: String?
    var isSaved = false
  }

  private static let version: Int64 = 1
  /// The bytes with which every file of decisions begins.
  private static let beginning = Array(#"{"stint_permissions""#.utf8)

  private let file: DurableFile?
  private let loop: LoopExecutor
  private let notify: @Sendable () -> Void
  /// A promise that is filled when the newest change ends; nil before the first change.
  private let lastChange = Locked<Promise<Void>?>(nil)
  /// The changes that are not complete, by number.
  private let pending = Locked<[Int: Pending]>([:])

  /// - Parameters:
  ///   - file: the file of the decisions; nil to save nothing.
  ///   - notify: wakes the host, so that it handles a submission.
  init(in file: DurableFile?, on loop: LoopExecutor, notify: @escaping @Sendable () -> Void) {
    self.file = file
    self.loop = loop
    self.notify = notify
  }

  /// Reads the saved decisions; empty without a file. An invalid file is renamed; see `StateFile.reject`. The
  /// problem is logged, and `status` shows it until the end of the run.
  ///
  /// - Throws: a problem for a file that does not contain decisions, so that no save overwrites it.
  func load(_ files: FileWorker) throws(Problem) -> [ClientID: PermissionDecision] {
    guard let path = file?.path else { return [:] }
    let bytes: [UInt8]
    do throws(Problem) {
      // Reading a named pipe would wait for a writer, so the daemon could not start.
      try StateFile.requireFile(path)
      bytes = try FileText.read(path)
    } catch {
      if error.code != .notFound { files.note("the decisions about clients are not restored: \(error)") }
      return [:]
    }
    do throws(Problem) {
      return try Self.decisions(in: bytes, of: path)
    } catch {
      let foreign = Problem(
        .file, place: path, cause: "it does not contain decisions about clients",
        remedy: "move it away, or give another path for the state file")
      let name = try StateFile.reject(path, bytes, beginning: Self.beginning, because: foreign)
      let kept = name.map { "; the file is now \($0)" } ?? ""
      files.note("the decisions about clients are not restored: \(error)\(kept)")
      return [:]
    }
  }

  private static func decisions(
    in bytes: [UInt8], of path: String
  ) throws(Problem) -> [ClientID: PermissionDecision] {
    let value = try JSONReader.value(of: bytes, source: path)
    let content = try JSONValueDecoder(file: path).decode(Content.self, from: value)
    guard content.version == version else {
      throw Problem(
        .file, place: path, cause: "it is of version \(content.version), and this program reads 1")
    }
    return Dictionary(content.decisions.map { (ClientID($0.key), $0.value) }) { first, _ in first }
  }

  /// Changes the decision about a client. The change is saved before it comes into force. Changes are made
  /// one after another, in the order of the calls.
  ///
  /// - Parameters:
  ///   - decide: makes the new decision from the former decision; a result of nil deletes the decision.
  ///   - author: describes the process that requested the change; called on another thread.
  ///   - report: receives the result, on the loop.
  func change(
    _ client: ClientID, of host: Host, by author: (@Sendable () -> String)?,
    _ decide: @escaping @Sendable (PermissionDecision?) -> PermissionDecision?,
    report: @escaping @Sendable (Change, _ author: String?) -> Void
  ) {
    let end = Promise<Void>()
    let former = lastChange.withLock { last in
      defer { last = end }
      return last
    }
    let number = pending.withLock { pending in
      let number = (pending.keys.max() ?? 0) + 1
      pending[number] = Pending(report: report)
      return number
    }
    Spawner.start(on: loop) { [self] in
      if let author {
        let author = await Spawner.runOnThread(author)
        pending.withLock { $0[number]?.author = author }
      }
      await former?.value()
      let change = await makeChange(number, client, host, decide)
      let ended = pending.withLock { $0.removeValue(forKey: number) }
      ended?.report(change, ended?.author)
      end.fill(())
    }
  }

  private func makeChange(
    _ number: Int, _ client: ClientID, _ host: Host,
    _ decide: (PermissionDecision?) -> PermissionDecision?
  ) async -> Change {
    let former = await host.serviceBoard.decisions
    let decision = decide(former[client])
    var coming = former
    coming[client] = decision
    if let failure = await saveFirst(coming) { return refuse(failure, keeping: former) }
    pending.withLock { $0[number]?.isSaved = true }
    switch await host.submit([ServiceInput.decide(client, decision)], notify: notify) {
    case .done: return .done(decision)
    case .closed: return ending(isSaved: true)
    case .overloaded:
      return refuse(
        Problem(.tooMany, cause: "too many requests wait", remedy: "ask again"), keeping: former)
    }
  }

  private func saveFirst(_ decisions: [ClientID: PermissionDecision]) async -> Problem? {
    guard let file else { return nil }
    return await file.saveFirst(Self.content(decisions))
  }

  /// Returns a refusal. With the code `tooMany`, the file contains the refused decision. With `timedOut`, the
  /// file may contain the decision soon, because the disk is slow. In both cases, saves the former decisions
  /// again.
  private func refuse(_ problem: Problem, keeping former: [ClientID: PermissionDecision]) -> Change {
    if [.timedOut, .tooMany].contains(problem.code) { file?.save(Self.content(former)) }
    return .refused(problem)
  }

  private static func content(_ decisions: [ClientID: PermissionDecision]) -> DurableFile.Content {
    let named = Dictionary(decisions.map { ($0.key.name, $0.value) }) { first, _ in first }
    do throws(Problem) {
      let line = try JSONCoding.line(of: Content(version: version, decisions: named))
      return { Array((line + "\n").utf8) }
    } catch {
      preconditionFailure("distinct names and words can be encoded: \(error)")
    }
  }

  /// Refuses later changes, because the run ends.
  func beginEnd() { file?.beginEnd() }

  /// Waits for the last save. Then answers the changes that are not complete, because the run ends. Must be
  /// called after `beginEnd()`.
  func finish(by deadline: EndDeadline) async {
    await file?.finish(within: deadline.remaining)
    let open = pending.withLock { pending in
      defer { pending = [:] }
      return pending.sorted { $0.key < $1.key }.map(\.value)
    }
    for change in open { change.report(ending(isSaved: change.isSaved), change.author) }
  }

  /// Returns the result of a change that the end of the run interrupts.
  private func ending(isSaved: Bool) -> Change {
    guard file != nil else { return .refused(Problem(.closed, cause: "the daemon ends")) }
    return isSaved ? .atNextStart : .unknown
  }

  /// The reason why the last decisions are not saved; nil when they are saved.
  var failure: Problem? { file?.failure }
}
