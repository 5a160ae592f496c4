import StintLanguage
import StintModel
import StintTestSupport
import StintUnits

/// Random policies with state machines that keep sensors off forever, and similar policies that can switch
/// these sensors on again.
///
/// The exits of the states read sensors, zones, or the states of other machines. Up to three machines form a
/// ring in which each machine waits for another machine.
struct RandomStateTrap: CustomStringConvertible {
  /// The reason why the machines stay in their states.
  enum Shape: String, CaseIterable {
    /// The exit reads a zone that no working device can decide.
    case place
    /// The exit reads the state of another machine that reads the stopped sensor.
    case state
    /// The exit of each of two machines reads the state of the other machine.
    case mutual
    /// Two or three machines each stop a sensor that the next machine reads.
    case ring
    /// The machine moves between states that all stop the sensor.
    case wandering
    /// A rule outside of the machine stops the sensor.
    case rule
  }

  var shape: Shape
  var text: String

  var description: String { "\(shape.rawValue):\n\(text)" }

  /// A sensor, with conditions on its facts that enter and leave a state.
  private struct Reads {
    var sensor: String
    var enters: String
    var leaves: String
  }

  private static let sensors = [
    Reads(sensor: "accel", enters: "motion.activity is still", leaves: "motion.activity is walking"),
    Reads(sensor: "accel", enters: "motion.activity is still for 2 min", leaves: "motion.steps > 90"),
    Reads(sensor: "gps", enters: "gps.speed < 1 m/s", leaves: "gps.speed > 3 m/s"),
    Reads(sensor: "gps", enters: "gps.accuracy > 50 m", leaves: "gps.accuracy < 20 m for 10 s"),
    Reads(sensor: "gps", enters: "spread(gps, 10 min) < 30 m", leaves: "spread(gps, 10 min) > 60 m"),
    Reads(sensor: "place", enters: "place.accuracy > 300 m", leaves: "place.accuracy < 60 m"),
  ]

  /// Conditions on facts of other devices, and their opposites.
  private static let free = [
    ("screen.on", "not screen.on"), ("battery.level < 20 %", "battery.level > 30 %"),
    ("app.state is background", "app.state is foreground"), ("net.kind is wifi", "net.kind is cellular"),
  ]

  /// - Parameter isTrap: false for a policy that can switch its sensors on again.
  init(_ shape: Shape, isTrap: Bool, seed: UInt64) {
    var random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 11)
    self.shape = shape
    text =
      switch shape {
      case .place: Self.place(isTrap, &random)
      case .state: Self.state(isTrap, &random)
      case .mutual: Self.mutual(isTrap, &random)
      case .ring: Self.ring(isTrap, &random)
      case .wandering: Self.wandering(isTrap, &random)
      case .rule: Self.rule(isTrap, &random)
      }
  }

  /// The devices of `TrialDevices`. The GNSS and the Wi-Fi receiver also publish positions.
  static let vocabulary = Vocabulary(
    manifests: TrialDevices.vocabulary.manifests.map { manifest in
      let radii: [DeviceID: Double] = ["location.gnss": 5, "location.wifi": 100]
      guard let radius = radii[manifest.device] else { return manifest }
      var locating = manifest
      locating.ladder = LadderRank(name: "location", rank: radius < 50 ? 2 : 1, serves: radius)
      locating.facts += ["latitude", "longitude"].map { name in
        FactSchema(
          path: "\(manifest.device.path).\(name)", type: .quantity(.angle), range: -180...180,
          maxAge: .minutes(1), fastest: .seconds(1), isNoisy: true, device: manifest.device)
      }
      return locating
    })

  private static func stop(_ random: inout SeededGenerator) -> String { random.pick(["stop", "pause"]) }

  private static func place(_ isTrap: Bool, _ random: inout SeededGenerator) -> String {
    // Wi-Fi positions, with a radius of 100 m, can decide a zone with a radius of at least 200 m.
    let small = random.pick([40, 90, 150, 190])
    let large = random.pick([200, 300, 5000])
    let verb = stop(&random)
    let dwell = random.pick(["", " for 2 min"])
    switch (isTrap, random.once(in: 2)) {
    case (true, true):
      let radius = random.pick([small, large])
      return """
        zone home = circle 47 8 radius \(radius) m
        machine m starts a {
          state a { goto b when inside(home)\(dwell) }
          state b { \(verb) [gps, place] goto a when not inside(home)\(dwell) }
        }
        """
    case (true, false):
      // A coarse position can show that the host is outside of a small zone, but not that it is inside.
      return """
        zone home = circle 47 8 radius \(small) m
        machine m starts a {
          state a { goto b when not inside(home)\(dwell) }
          state b { \(verb) gps goto a when inside(home)\(dwell) }
        }
        """
    case (false, true):
      return """
        zone home = circle 47 8 radius \(random.pick([small, large])) m
        machine m starts a {
          state a { goto b when inside(home)\(dwell) }
          state b { \(verb) \(random.pick(["gps", "place"])) goto a when not inside(home)\(dwell) }
        }
        """
    case (false, false):
      return """
        zone home = circle 47 8 radius \(large) m
        machine m starts a {
          state a { goto b when not inside(home)\(dwell) }
          state b { \(verb) gps goto a when inside(home)\(dwell) }
        }
        """
    }
  }

  private static func state(_ isTrap: Bool, _ random: inout SeededGenerator) -> String {
    let it = random.pick(sensors)
    let free = random.pick(free)
    let exit = isTrap ? it.leaves : random.pick(["\(it.leaves) or \(free.0)", free.1])
    let wait = random.pick(["", " for 30 s"])
    return """
      machine n starts a { state a { goto b when \(it.enters) } state b { goto a when \(exit) } }
      machine m starts a {
        state a { goto b when n is b\(wait) }
        state b { \(stop(&random)) \(it.sensor) goto a when n is a\(wait) }
      }
      """
  }

  private static func mutual(_ isTrap: Bool, _ random: inout SeededGenerator) -> String {
    let (one, other) = (random.pick(free), random.pick(free))
    let sensor = random.pick(sensors).sensor
    let way = random.pick([" goto a when m is b for 10 min", " goto a when \(one.1)"])
    return """
      machine n starts a { state a { goto b when \(other.0) } state b { goto a when m is a } }
      machine m starts a {
        state a { goto b when \(one.0) }
        state b { \(stop(&random)) \(sensor) goto a when n is a\(isTrap ? "" : way) }
      }
      """
  }

  private static func ring(_ isTrap: Bool, _ random: inout SeededGenerator) -> String {
    var links = [random.pick(Array(sensors[0...1])), random.pick(Array(sensors[2...4])), sensors[5]]
    links.shuffle(using: &random)
    let count = Int.random(in: 2...3, using: &random)
    let open = isTrap ? -1 : Int.random(in: 0..<count, using: &random)
    return (0..<count).map { place in
      let (own, next) = (links[place], links[(place + 1) % count])
      let free = random.pick(free)
      let way = place == open ? random.pick([" or \(free.0)", " goto a when m\(place) is b for 10 min"]) : ""
      return """
        machine m\(place) starts a {
          state a { goto b when \(free.1) and \(own.enters) }
          state b { \(stop(&random)) \(own.sensor) goto a when \(next.leaves)\(way) }
        }
        """
    }.joined(separator: "\n")
  }

  private static func wandering(_ isTrap: Bool, _ random: inout SeededGenerator) -> String {
    let it = random.pick(sensors)
    let count = Int.random(in: 2...4, using: &random)
    let open = Int.random(in: 1...count, using: &random)
    let states = (1...count).map { place in
      let free = random.pick(free)
      let keeps = isTrap || place != open ? "\(stop(&random)) \(it.sensor) " : ""
      let exit = place == open ? " goto s0 when \(it.leaves)" : ""
      return "  state s\(place) { \(keeps)goto s\(place % count + 1) when \(free.0) for 5 s\(exit) }"
    }
    return """
      machine m starts s0 {
        state s0 { goto s1 when \(it.enters) }
      \(states.joined(separator: "\n"))
      }
      """
  }

  private static func rule(_ isTrap: Bool, _ random: inout SeededGenerator) -> String {
    let it = random.pick(sensors)
    let free = random.pick(free)
    let guarding = isTrap ? "" : " and \(free.0)"
    return """
      machine m starts a {
        state a { goto b when \(it.enters) }
        state b { goto a when \(it.leaves) goto c when \(free.0) }
        state c { goto a when \(it.leaves) goto b when \(free.1) }
      }
      rule r while m is not a\(guarding) { \(stop(&random)) \(it.sensor) }
      """
  }
}
