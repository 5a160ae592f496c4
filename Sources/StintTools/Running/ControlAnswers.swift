import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// What a daemon at work answers to those who ask it through its socket.
///
/// A question is one JSON object on a line: `{"ask": "status"}`, `{"ask": "why", "device": "location.gnss"}`,
/// `{"ask": "why-not", "thing": "hiking/still"}`, `{"ask": "rollback"}`,
/// `{"ask": "push", "file": "night.stint", "text": "policy …"}`. The answer is one too:
/// `{"stint_reply": 1, "ok": true, "text": "…", "problem": null, "report": {…}}`.
struct ControlAnswers: Sendable {
  let policies: LivePolicies
  let stage: SimulationStage
  let log: @Sendable (String) -> Void

  /// Answers a question at once, or once an edit that it asks for is in force or refused.
  ///
  /// - Parameter mayChange: whether the caller may push and roll back.
  func answer(
    _ question: String, mayChange: Bool, _ host: isolated Host, at instant: Instant,
    reply: @escaping @Sendable (String) -> Void
  ) {
    let answer: @Sendable (LivePolicies.Outcome) -> Void = { outcome in
      reply(ReportKind.reply.text(of: Self.reply(outcome)))
    }
    guard let outcome = outcome(of: question, mayChange: mayChange, host, at: instant, later: answer) else {
      return
    }
    answer(outcome)
  }

  /// The reply as `grammar/schemas/reply.json` has it.
  private static func reply(_ outcome: LivePolicies.Outcome) -> JSONValue {
    [
      "ok": JSONValue(outcome.isDone), "text": JSONValue(outcome.text),
      "problem": outcome.problem.map { JSONValue($0.rawValue) } ?? nil, "report": outcome.report ?? nil,
    ]
  }

  /// The answer; nil where it comes later.
  private func outcome(
    of question: String, mayChange: Bool, _ host: isolated Host, at instant: Instant,
    later answer: @escaping @Sendable (LivePolicies.Outcome) -> Void
  ) -> LivePolicies.Outcome? {
    let value: JSONValue
    do throws(Problem) {
      value = try JSONReader.value(of: question, source: "question")
    } catch {
      return .init(isDone: false, text: "the question is no JSON object: \(error.cause)")
    }
    let ask = value["ask"]?.string
    guard mayChange || (ask != "push" && ask != "rollback") else {
      return .init(isDone: false, text: "only root and the daemon's own user may change policies")
    }
    switch ask {
    case "status":
      let report = StatusReport(policies, stage, host, at: instant)
      return .init(isDone: true, text: report.text, report: ReportKind.status.stamped(report.json))
    case "why":
      let device = DeviceID(value["device"]?.string ?? "")
      let governor = host.snapshot
      guard governor.vocabulary.device(device) != nil else {
        let names = governor.vocabulary.manifests.map(\.device.path).joined(separator: ", ")
        return .init(
          isDone: false, text: "no device is called “\(device)”; there are \(names)", problem: .unknownName)
      }
      let why = WhyReport(device: device, governor: governor, policies: policies.loaded.policies)
      let process = stage.site?.supervised.first {
        $0.manifest.device == device && $0.status.failure != nil
      }
      let plugin = process.map { "\nplugin     \($0.statusText(policies.wallClock.rules))" } ?? ""
      return .init(isDone: true, text: why.text + plugin, report: ReportKind.why.stamped(why.json))
    case "why-not":
      let thing = value["thing"]?.string ?? ""
      let report = WhyNotReport(thing, governor: host.snapshot, policies: policies.loaded.policies)
      return .init(
        isDone: report != nil, text: report?.text ?? "no device and no rule is called “\(thing)”",
        problem: report == nil ? .unknownName : nil, report: report.map { ReportKind.whyNot.stamped($0.json) }
      )
    case "rollback": return change(.rollback, host, answer)
    case "push":
      guard let file = value["file"]?.string, let text = value["text"]?.string else {
        return .init(isDone: false, text: "a push names its file and brings its text")
      }
      return change(.push(SourceText(file: file, text: text)), host, answer)
    case let other:
      return .init(
        isDone: false,
        text: "unknown question “\(other ?? "")”; ask status, why, why-not, rollback or push")
    }
  }

  /// Makes a change, and reports it at the daemon too.
  private func change(
    _ kind: LiveEdit.Kind, _ host: isolated Host, _ answer: @escaping @Sendable (LivePolicies.Outcome) -> Void
  ) -> LivePolicies.Outcome? {
    let log = log
    let edit = LiveEdit(kind: kind) { outcome in
      log(outcome.text)
      answer(outcome)
    }
    policies.submit(edit, host)
    return nil
  }
}
