import StintGovernor
package import StintModel
package import StintRuntime
import StintServices
package import StintUnits

/// An event of a daemon that its operator may read.
package struct DaemonEvent: Hashable, Sendable {
  /// The importance of an event.
  package enum Level: String, Hashable, Sendable, CaseIterable {
    /// A decision of the governor.
    case decision
    /// A start, an end, a reload, or any event to which no other level applies.
    case notice
    /// A refused request or input, or a failed device.
    case refusal
    /// A refused change of the policies or files, or a failed operation of the daemon itself.
    case problem
  }

  /// The importance.
  package let level: Level
  /// The local time; nil when the text contains the time itself, or no time applies.
  package let time: LocalMoment?
  /// The text, one or several lines.
  package let text: String
  /// The subject of the event.
  package var subject = RunEvent.message

  /// True when a client program caused the event by attaching or leaving.
  var isFromClient = false

  /// The event as text, with its time if it has one.
  package var line: String {
    // A refusal or a fault is one sentence, which may contain text of a plugin.
    let text = level == .refusal ? "problem: \(VisibleText.line(text))" : VisibleText.lines(text)
    return time.map { "\($0) \(text)" } ?? text
  }

  /// Returns the event as text. Each line begins with a date, a time and the level:
  /// `2026-11-27T04:35:10Z refusal …`.
  ///
  /// - Parameter wall: the time of the wall clock. Lines contain this time in UTC, because the local time of
  ///   a run is the local time of its scenario or site.
  package func datedLine(at wall: Instant) -> String {
    let moment = LocalMoment(wall, .utc).dated.map { $0 == " " ? "T" : $0 }
    let prefix = "\(String(moment))Z \(level.rawValue) "
    return line.split(separator: "\n", omittingEmptySubsequences: false).map { prefix + $0 }
      .joined(separator: "\n")
  }

  /// Creates a notice without a time.
  static func notice(_ text: String, about subject: RunEvent = .message) -> DaemonEvent {
    DaemonEvent(level: .notice, time: nil, text: text, subject: subject)
  }
}

extension RunLog {
  /// Creates a log that reports each text as an event without a time.
  init(_ report: @escaping @Sendable (DaemonEvent) -> Void) {
    self.init(events: { text, isProblem, subject in
      report(DaemonEvent(level: isProblem ? .problem : .notice, time: nil, text: text, subject: subject))
    })
  }
}

/// Reports decisions, refusals and messages of a host as events, and requests saves of the state.
struct DaemonEvents: HostObserver {
  let clock: WallClock
  let policies: PolicyStore
  let report: @Sendable (DaemonEvent) -> Void

  var observesDeliveries: Bool { false }

  func decided(_ event: RunEvent, _ line: String, at instant: Instant) {
    // The line begins with its instant in nanoseconds; the event has a local time instead.
    var text = String(line.drop { $0 != " " }.dropFirst())
    // The line of a device that turns off ends with the demands that the device served before.
    if case .setting(_, let setting, let cause) = event, !setting.isOn,
      let reason = text.firstRange(of: "; because ")
    {
      text.replaceSubrange(reason.upperBound..., with: Governor.reasonForOff(cause))
    }
    report(.decision, text, event, at: instant)
  }

  func faulted(_ device: DeviceID, _ sentence: String, at instant: Instant) {
    report(.refusal, sentence, .fault(device), at: instant)
  }

  func refused(_ sentence: String, at instant: Instant) { report(.refusal, sentence, at: instant) }

  func logged(_ message: RunMessage, at instant: Instant) {
    switch message {
    case .notice(let text): report(.notice, text, at: instant)
    case .problem(let text): report(.problem, text, at: instant)
    }
  }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    guard let sentence = effect.refusal else { return }
    report(.refusal, sentence, effect.event, at: instant)
  }

  func settled(_ governor: borrowing Governor, at instant: Instant) {
    policies.save(governor, isUrgent: false)
  }

  private func report(
    _ level: DaemonEvent.Level, _ text: String, _ subject: RunEvent = .message, at instant: Instant
  ) {
    report(
      DaemonEvent(level: level, time: LocalMoment(instant, clock.rules), text: text, subject: subject))
  }
}
