import StintFormats
import StintModel
import StintServices
import StintUnits

// The events of requests for positions and samples.

/// Positions, oldest first.
package struct FixesEvent: ClientEventContent {
  package static let mark = "fixes"

  package var fixes: [Fix]
  /// The age in seconds of an earlier position that a request for `moves` returns; nil for current
  /// positions.
  var age: Double?

  enum CodingKeys: String, CodingKey {
    case fixes
    case age = "age_s"
  }

  /// A position.
  package struct Fix: Codable, Sendable {
    var time: Instant
    /// The coordinates in degrees.
    var latitude, longitude: Double
    /// The radius of 95 % of the errors, in metres.
    var accuracy: Double
    /// The speed in metres per second; nil for the positions of moves.
    var speed: Double?
    var device: String
    /// Each flag is true or nil, never false.
    var isCached, isStale, isPoor: Bool?

    enum CodingKeys: String, CodingKey {
      case time = "t"
      case latitude = "lat"
      case longitude = "lon"
      case accuracy = "accuracy_m"
      case speed = "speed_mps"
      case device
      case isCached = "cached"
      case isStale = "stale"
      case isPoor = "poor"
    }
  }
}

extension FixesEvent.Fix {
  init(_ fix: StintServices.Fix) {
    self.init(
      time: fix.instant, latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude,
      accuracy: fix.accuracy, speed: fix.speed, device: fix.device.path, isCached: fix.isCached ? true : nil,
      isStale: fix.isStale ? true : nil, isPoor: fix.isPoor ? true : nil)
  }

  /// Makes the position of a move, which has no speed.
  init(move fix: StintServices.Fix) {
    self.init(fix)
    speed = nil
  }
}

/// The failure of a request for one fix.
package struct UnansweredEvent: ClientEventContent {
  package static let mark = "unanswered"

  var unanswered: DaemonMessage.Failure
  /// The best fix that arrived.
  var best: FixesEvent.Fix?
}

/// Updates were paused, resumed or suspended automatically.
struct UpdatesEvent: ClientEventContent {
  static let mark = "updates"

  var updates: String
  /// The next attempt of suspended updates.
  var next: Instant?
}

/// Samples of a device, oldest first.
package struct SamplesEvent: ClientEventContent {
  package static let mark = "samples"

  var device: String
  package var samples: [Reading]

  /// The value of a channel.
  package enum Value: Codable, Hashable, Sendable {
    case number(Double)
    /// A word, or bytes as hexadecimal digits.
    case text(String)

    init(_ value: ChannelValue) {
      switch value {
      case .number(let number): self = .number(number)
      case .word(let word): self = .text(word)
      case .bytes(let bytes): self = .text(ChannelValue.hexadecimal(bytes))
      }
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do { self = .number(try container.decode(Double.self)) } catch {
        self = .text(try container.decode(String.self))
      }
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }
  }

  /// A sample with one member per channel: a number in the unit of the manifest, a word, or bytes as
  /// lower-case hexadecimal digits.
  package struct Reading: Codable, Sendable {
    var time: Instant
    var channels: [(name: String, value: Value)]

    private static let timeKey = CodingStep(stringValue: "t")

    init(time: Instant, channels: [(name: String, value: Value)]) {
      self.time = time
      self.channels = channels
    }

    package init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingStep.self)
      time = try members.decode(Instant.self, forKey: Self.timeKey)
      channels = try members.allKeys.filter { $0.stringValue != Self.timeKey.stringValue }
        .map { ($0.stringValue, try members.decode(Value.self, forKey: $0)) }
    }

    package func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingStep.self)
      try members.encode(time, forKey: Self.timeKey)
      for channel in channels {
        try members.encode(channel.value, forKey: CodingStep(stringValue: channel.name))
      }
    }
  }
}
