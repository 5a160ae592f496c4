import StintModel
import StintUnits

/// The devices and facts of random policies. Every time span is an integer multiple of `unit`.
struct PlanWorld: Sendable {
  /// A device that is governed by random policies.
  enum Device: Int, Sendable, CaseIterable {
    /// A device with an accuracy, a rate and a sample queue.
    case fast
    /// A device with a rate, but without an accuracy and a sample queue.
    case slow

    var id: DeviceID { self == .fast ? "fast.one" : "slow.two" }
    /// The power of the device when it is on, in nanowatts.
    var power: Int64 { self == .fast ? 100_000_000 : 50_000_000 }
  }

  /// A fact that is published in stories.
  enum Fact: Int, Sendable, CaseIterable {
    case near, far, level, flag, screen, activity, app, beacon, accuracy, latitude, longitude

    var path: String {
      switch self {
      case .near: "probe.near"
      case .far: "probe.far"
      case .level: "battery.level"
      case .flag: "probe.flag"
      case .screen: "screen.on"
      case .activity: "motion.activity"
      case .app: "app.state"
      case .beacon: "beacon.home"
      case .accuracy: "fast.one.accuracy"
      case .latitude: "fast.one.latitude"
      case .longitude: "fast.one.longitude"
      }
    }

    /// The maximum age in units; nil when the fact has no maximum age.
    var maxAge: Int? {
      switch self {
      case .far: 4
      case .flag: 3
      case .accuracy, .latitude, .longitude: 8
      default: nil
      }
    }
  }

  static let words = ["still", "walking", "running"]
  /// The centre of the zones' circles.
  static let centre = (latitude: 47.0, longitude: 8.0)

  /// The unit of time; every span is a multiple of it.
  let unit: TimeSpan
  /// Whether the governor reads the facts in `readable` on request. When false, the sources publish these
  /// facts without a request.
  let isRead: Bool

  init(unit: TimeSpan, isRead: Bool = false) {
    self.unit = unit
    self.isRead = isRead
  }

  /// The facts that can be read on request, with the source of each.
  static let readable: [(source: DeviceID, facts: [Fact])] = [
    ("box.far", [.far, .flag]), ("box.gauge", [.level]), ("box.motion", [.activity]),
  ]
  /// The maximum change of the battery level in one period `pace`, as a ratio.
  static let steepness = 0.25
  /// The period of readings.
  var pace: TimeSpan { min(unit, .minutes(1)) }

  func span(_ count: Int) -> TimeSpan { unit * Int64(count) }

  func text(_ count: Int) -> String { "\(span(count).nanoseconds / 1_000_000_000) s" }

  var vocabulary: Vocabulary {
    Vocabulary(
      manifests: [fast, slow, host] + Self.readable.map { source($0.source, $0.facts) },
      declared: [FactSchema(path: Fact.beacon.path, type: .boolean)])
  }

  private func schema(
    _ fact: Fact, _ type: FactType, range: ClosedRange<Double>? = nil, device: DeviceID? = nil
  ) -> FactSchema {
    FactSchema(path: fact.path, type: type, range: range, maxAge: fact.maxAge.map(span), device: device)
  }

  /// Returns the manifest of a source that is read on request when `isRead` is true, and publishes its facts
  /// otherwise.
  private func source(_ device: DeviceID, _ facts: [Fact]) -> Manifest {
    Manifest(
      device: device, kind: .source, title: "",
      facts: facts.map { fact in
        var schema =
          switch fact {
          case .level: schema(fact, .quantity(.ratio), range: 0...1, device: device)
          case .flag: schema(fact, .boolean, device: device)
          case .activity: schema(fact, .symbol(Self.words), device: device)
          default: schema(fact, .quantity(.length), device: device)
          }
        if isRead {
          schema.reading = FactReading(
            every: pace, maxRate: fact == .level ? Self.steepness / pace.seconds : nil)
        }
        return schema
      })
  }

  private func states(_ device: Device) -> [PowerState] {
    [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "track", power: Power(nanowatts: device.power), isOn: true),
    ]
  }

  private var linger: AttributeSchema {
    AttributeSchema(name: "linger", type: .quantity(.time), fallback: .number(unit.seconds))
  }

  private var rate: AttributeSchema {
    AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.00001...50, fallback: .number(1))
  }

  /// A sensor whose facts come from the story, whether it is on or off. The governor therefore raises no
  /// demands to read these facts, and the reference need not model such demands.
  private var fast: Manifest {
    var manifest = sensor
    for fact in manifest.facts.indices { manifest.facts[fact].isAlwaysPublished = true }
    return manifest
  }

  private var sensor: Manifest {
    Manifest(
      device: Device.fast.id, kind: .sensor, title: "", states: states(.fast),
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
      attributes: [
        AttributeSchema(name: "accuracy", type: .quantity(.length), range: 5...3000), rate, linger,
      ],
      fifo: 600,
      facts: [
        schema(.accuracy, .quantity(.length), device: Device.fast.id),
        FactSchema(path: "fast.one.distance", type: .quantity(.length), device: Device.fast.id),
        schema(.latitude, .quantity(.angle), device: Device.fast.id),
        schema(.longitude, .quantity(.angle), device: Device.fast.id),
      ])
  }

  private var slow: Manifest {
    Manifest(
      device: Device.slow.id, kind: .sensor, title: "", states: states(.slow),
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
      attributes: [rate, linger])
  }

  private var host: Manifest {
    Manifest(
      device: "host.all", kind: .source, title: "",
      facts: [
        schema(.near, .quantity(.length)), schema(.screen, .boolean),
        schema(.app, .symbol(["foreground", "background"])),
      ])
  }
}

extension PlanWorld {
  /// Returns the facts of a position: within the circle, far from it, or too inaccurate to decide.
  static func facts(of place: PlanStory.Place) -> [(Fact, Double)] {
    let latitude = place == .outside ? centre.latitude + 1 : centre.latitude
    return [
      (.latitude, latitude), (.longitude, centre.longitude), (.accuracy, place == .unclear ? 400 : 20),
    ]
  }
}
