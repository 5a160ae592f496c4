import StintModel
import StintRuntime
import StintUnits

/// Measures the time from a publication to the next setting that a sensor receives. Only one publication may
/// be pending.
final class PublishMark: Sendable {
  private struct Content {
    var published: Int64 = 0
    var spans: [Int64] = []
  }

  private let content = Locked(Content())

  func publish() {
    let now = SystemClock.monotonic().nanoseconds
    content.withLock { $0.published = now }
  }

  /// Records that the sensor has received a setting.
  func recordCall() {
    let now = SystemClock.monotonic().nanoseconds
    content.withLock { content in
      // The first setting turns the sensor on, before any publication.
      if content.published > 0 { content.spans.append(now - content.published) }
      content.published = 0
    }
  }

  var count: Int { content.withLock { $0.spans.count } }
  var latency: Latency { Latency(content.withLock { $0.spans }) }
}
