import StintModel
import StintRuntime
import StintServices
package import StintUnits

/// The reply to “outlook”. It states why a device does not serve the requests of a client program, until when
/// this lasts, and which changes would end it.
package struct OutlookMessage: Codable, Hashable, Sendable {
  /// A reason why the device does not serve the program. Only the members that belong to the kind of the
  /// obstacle have values.
  package struct Obstacle: Codable, Hashable, Sendable {
    /// `no_request`, `permission`, `background`, `paused`, `unavailable`, `fact` or `rule`.
    package var kind: String
    /// The number of the request that has paused itself.
    package var id: Int64?
    /// The missing device.
    package var device: String?
    /// The fact, its present value, and the nearest value that would help. When `needed` is nil, each new
    /// value would help.
    package var fact, present, needed: String?
    /// The rule whose directive applies.
    package var rule: String?
    /// The time of the next check or attempt of a paused request, or the end of the directive. Nil when the
    /// time is unknown.
    package var until: Instant?
    /// The obstacle as a sentence.
    package var text: String
  }

  package var device: String
  /// True when the device, or another device in its place, serves the program now.
  package var served: Bool
  package var obstacles: [Obstacle]
  /// The time at which the program is served if no fact and no request changes.
  package var expected: Instant?
  /// The earliest time at which the program can be served if the obstacles are removed now.
  package var earliest: Instant?

  init(_ outlook: ClientOutlook) {
    let report = outlook.report
    device = report.thing
    served = report.happens
    obstacles = report.obstacles.map { Obstacle($0, report) }
    expected = outlook.expected
    earliest = outlook.earliest
  }
}

extension OutlookMessage.Obstacle {
  fileprivate init(_ obstacle: WhyNotReport.Obstacle, _ report: WhyNotReport) {
    self.init(kind: "", text: report.words(obstacle))
    switch obstacle {
    case .demand: kind = "no_request"
    case .permission: kind = "permission"
    case .background: kind = "background"
    case .paused(let service):
      kind = "paused"
      id = Int64(service.id.name)
      until = service.pause.next
    case .missing(let device):
      kind = "unavailable"
      self.device = device.path
    case .fact(let path, let present, let needed):
      kind = "fact"
      fact = path
      self.present = report.text(present, of: path)
      if !report.isSatisfiedByAnyValue(obstacle) { self.needed = report.text(needed, of: path) }
    case .directive(let rule, let end):
      kind = "rule"
      self.rule = rule.description
      until = end
    }
  }
}
