import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintServices
import StintUnits

/// Answers the requests that clients send to a running daemon through its socket.
///
/// A request is one JSON object on a line: `{"ask": "status"}`, `{"ask": "why", "device": "location.gnss"}`,
/// `{"ask": "why-not", "thing": "hiking/still"}`, `{"ask": "rollback"}`, `{"ask": "push", "file":
/// "night.stint", "text": "policy …"}`, `{"ask": "permit", "client": "trail-app"}`. The reply is also one
/// object on a line: `{"stint_reply": 1, "ok": true, "text": "…", "problem": null, "report": {…}}`.
struct ControlAnswers: Sendable {
  let policies: PolicyStore
  let setup: DaemonSetup
  /// The decisions about clients.
  let decisions: DecisionStore
  var info = DaemonInfo(version: nil)
  let files: FileWorker
  /// The changes of the site file that take effect only after a restart.
  var waiting = WaitingChanges()
  let log: RunLog

  /// Answers a request. A change of the policies or of permissions is answered after the change is in force
  /// or refused. Every other request is answered at once.
  ///
  /// - Parameters:
  ///   - isTrusted: whether the caller is root or the daemon's own user.
  ///   - mayRead: whether the caller may make requests that change nothing.
  ///   - peer: the calling process; nil when it is unknown.
  func answer(
    _ question: ControlQuestion, isTrusted: Bool, mayRead: Bool = false, from peer: ControlPeer? = nil,
    _ host: isolated Host, at instant: Instant,
    reply: @escaping @Sendable (String) -> Void
  ) async {
    let answer: @Sendable (PolicyStore.Outcome) -> Void = { outcome in
      reply(ReportKind.reply.text(of: Self.reply(outcome)))
    }
    let access = (isTrusted, isTrusted || mayRead)
    let outcome = await outcome(of: question, access, peer, host, at: instant, later: answer)
    guard let outcome else { return }
    answer(outcome)
  }

  /// Returns the answer to a request that is longer than this number of bytes.
  static func refusal(ofRequestAbove limit: Int) -> String {
    let policies = SourceText.maxBytes / (1 << 20)
    return refusal("the request is longer than \(limit / (1 << 20)) MiB; a policy may have \(policies) MiB")
  }

  /// Returns the answer to a request that is not carried out.
  static func refusal(_ text: String, problem: PolicyStore.Outcome.Problem? = nil) -> String {
    ReportKind.reply.text(of: reply(.init(isDone: false, text: text, problem: problem)))
  }

  /// Returns the reply in the format of `grammar/schemas/reply.json`.
  private static func reply(_ outcome: PolicyStore.Outcome) -> JSONValue {
    [
      "ok": JSONValue(outcome.isDone), "text": JSONValue(VisibleText.lines(outcome.text)),
      "problem": outcome.problem.map { JSONValue($0.rawValue) } ?? .null, "report": outcome.report ?? .null,
    ]
  }

  /// Returns the outcome of a request about an unknown device or rule.
  private func unknown(_ thing: String, _ governor: Governor, hasRules: Bool) -> PolicyStore.Outcome {
    let target = UnknownTarget(thing, governor, policies.loaded.policies, hasRules: hasRules)
    return .init(
      isDone: false, text: "“\(thing)”: \(target.cause); \(target.remedy)", problem: .unknownName)
  }

  /// Returns the outcome of a request; nil when `answer` will receive it later.
  private func outcome(
    of question: ControlQuestion, _ access: (isTrusted: Bool, mayRead: Bool), _ peer: ControlPeer?,
    _ host: isolated Host, at instant: Instant,
    later answer: @escaping @Sendable (PolicyStore.Outcome) -> Void
  ) async -> PolicyStore.Outcome? {
    let value: JSONValue
    switch question.content {
    case .success(let content): value = content
    case .failure(let problem):
      return .init(isDone: false, text: "the request is not a JSON object: \(problem.cause)")
    }
    let ask = value["ask"]?.string
    guard access.mayRead else {
      return .init(
        isDone: false,
        text: "only root, the daemon's own user and the group of --control-group may ask; other programs "
          + "must attach as clients")
    }
    let readers = ["status", "why", "why-not"]
    guard access.isTrusted || readers.contains(ask ?? "") else {
      return .init(
        isDone: false,
        text: "only root and the daemon's own user may change policies and permissions; the group of the "
          + "socket may only ask for " + readers.joined(separator: ", "))
    }
    switch ask {
    case "status":
      let report = StatusReport(policies, setup, info, files, waiting, host, at: instant)
      return .init(isDone: true, text: report.text, report: ReportKind.status.stamped(report.json))
    case "why":
      let device = DeviceID(value["device"]?.string ?? "")
      let governor = host.snapshot
      guard governor.vocabulary.device(device) != nil else {
        return unknown(device.path, governor, hasRules: false)
      }
      let why = WhyReport(device: device, governor: governor, policies: policies.loaded.policies)
      let process = setup.supervised.first {
        $0.manifest.device == device && $0.status.failure != nil
      }
      let plugin = process.map { "\nplugin     \($0.text(of: $0.status, policies.wallClock.rules))" } ?? ""
      return .init(isDone: true, text: why.text + plugin, report: ReportKind.why.stamped(why.json))
    case "why-not":
      let thing = value["thing"]?.string ?? ""
      let governor = host.snapshot
      let report = WhyNotReport(
        thing, governor: governor, policies: policies.loaded.policies,
        pauses: host.serviceBoard.pausedServices)
      guard let report else { return unknown(thing, governor, hasRules: true) }
      return .init(isDone: true, text: report.text, report: ReportKind.whyNot.stamped(report.json))
    case "permit":
      let isChange = value["permission"] != nil || value["reset"]?.boolean == true
      let permit = PermitAnswer(apps: setup.site?.site.apps ?? [], decisions: decisions, peer: peer)
      permit.reply(to: value, host) { [log] outcome in
        if isChange { outcome.write(to: log) }
        answer(outcome)
      }
      return nil
    case "rollback": return change(.rollback, by: peer, host, answer)
    case "push":
      guard let file = value["file"]?.string, value["text"]?.string != nil else {
        return .init(isDone: false, text: "a push needs “file” and “text”")
      }
      if let rejectionReason = InputBounds.rejectionReason(forName: file) {
        return .init(isDone: false, text: "“file” of a push: \(rejectionReason)")
      }
      guard let source = question.source else {
        let limit = SourceText.maxBytes / (1 << 20)
        return .init(isDone: false, text: "\(file) is larger than \(limit) MiB, the limit of a policy")
      }
      return change(.push(source), by: peer, host, answer)
    case let other:
      return .init(
        isDone: false,
        text: "unknown request “\(other ?? "")”; use status, why, why-not, permit, rollback or push")
    }
  }

  /// Submits a change of the policies, and returns nil. `answer` and the daemon's log receive the outcome
  /// later.
  private func change(
    _ kind: PolicyEdit.Kind, by peer: ControlPeer?, _ host: isolated Host,
    _ answer: @escaping @Sendable (PolicyStore.Outcome) -> Void
  ) -> PolicyStore.Outcome? {
    let log = log
    var author: (@Sendable () -> String)?
    if let peer { author = { peer.text } }
    let edit = PolicyEdit(kind: kind, author: author) { outcome in
      let outcome =
        outcome
        ?? .init(isDone: false, text: "the daemon ends; the policies are unchanged; ask its successor")
      outcome.write(to: log)
      answer(outcome)
    }
    policies.submit(edit, host)
    return nil
  }
}
