import StintModel
import StintRuntime
import StintUnits

/// Notes when something was published, and how long after that a device was told; one thing at a time.
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

  func tell() {
    let now = SystemClock.monotonic().nanoseconds
    content.withLock { content in
      // A device is told once before anything was published: when it is turned on.
      if content.published > 0 { content.spans.append(now - content.published) }
      content.published = 0
    }
  }

  var count: Int { content.withLock { $0.spans.count } }
  var latency: Latency { Latency(content.withLock { $0.spans }) }
}
