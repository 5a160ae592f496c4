import StintModel
import StintUnits

extension SensorRules {
  /// A circular zone that a rule uses.
  struct Circle: Hashable, Sendable {
    let centre: Coordinate
    /// The radius in metres.
    let radius: Double

    /// Returns the least distance, in metres, that the host must move to cross the border of the zone. The
    /// result is 0 or less when the border is within the 95 % radius of the position. The host may then be
    /// inside or outside.
    func margin(of position: SensingInput.Position) -> Double {
      abs(centre.distance(to: position.place) - radius) - position.radius
    }

    /// The largest 95 % radius, in metres, with which a position can decide whether the host is inside.
    var accuracyToDecide: Double { Zone.accuracyToDecide(circleOf: radius) }
  }

  /// The rules that use circular zones, and the devices that can locate the host for them.
  struct Places: Sendable {
    /// A sensor that publishes positions, with the accuracy and the settings of its probes.
    struct Provider: Sendable {
      let device: Int
      /// The 95 % radius of the device's positions, in metres.
      let accuracy: Double
      let wants: DemandSettings
      /// The shortest time between two probes.
      let pause: TimeSpan
    }

    /// The providers in ascending order of cost.
    let providers: [Provider]
    /// The rules in the order of the policies.
    let readers: [Reader]
    /// The circular zones of the rules.
    let zones: Set<ZoneKey>
    /// The index of the fact `motion.activity`. The fact is always unknown when no device publishes it.
    let activity: Int?
    private let maxAge: TimeSpan?
    /// For each word of the activity fact: the highest plausible speed, in metres per second.
    private let speeds: [Double]

    /// The highest plausible speed while the activity is unknown, in metres per second.
    let fastest: Double
    /// The highest plausible speed of each activity, in metres per second. An activity without an entry has
    /// the speed `fastest`.
    private static let speedOfActivity = [
      "still": 0.0, "walking": 3, "running": 8, "cycling": 20,
    ]

    init?(_ readers: [Reader], _ zones: Set<ZoneKey>, _ vocabulary: Vocabulary) {
      let providers = Self.providers(vocabulary)
      guard !readers.isEmpty, !providers.isEmpty else { return nil }
      self.providers = providers
      self.readers = readers
      self.zones = zones
      let fastest =
        vocabulary.manifests.filter { $0.publishesPositions(vocabulary) }.map {
          $0.topSpeed ?? Manifest.usualTopSpeed
        }.max() ?? Manifest.usualTopSpeed
      self.fastest = fastest
      activity = vocabulary.fact("motion.activity")
      let schema = vocabulary.schema("motion.activity")
      maxAge = schema?.maxAge
      if case .symbol(let words)? = schema?.type {
        speeds = words.map { min(Self.speedOfActivity[$0] ?? fastest, fastest) }
      } else {
        speeds = []
      }
    }

    /// Returns the sensors that publish positions while they work, sorted by the cost of a fix.
    private static func providers(_ vocabulary: Vocabulary) -> [Provider] {
      vocabulary.manifests.indices.filter { vocabulary.manifests[$0].publishesPositions(vocabulary) }
        .map { device in
          let manifest = vocabulary.manifests[device]
          let wants = DemandSettings(accuracy: manifest.ladder?.serves, background: true)
          return Provider(
            device: device, accuracy: manifest.positionAccuracy, wants: wants,
            pause: manifest.shortestProbePause)
        }
        .sorted {
          let energies = [$0, $1].map {
            vocabulary.manifests[$0.device].readingEnergy(within: PositionProbePlan.timeout)
          }
          return energies[0] == energies[1] ? $0.device < $1.device : energies[0] < energies[1]
        }
    }

    func knowsActivity(_ facts: FactTable, at now: Instant) -> Bool { word(facts, at: now) != nil }

    /// Returns the highest plausible speed of the host, in metres per second.
    func speed(_ facts: FactTable, at now: Instant) -> Double {
      word(facts, at: now).map { speeds[$0] } ?? fastest
    }

    /// Returns the instant until which the last published activity remains valid.
    func activityEnd(_ facts: FactTable) -> Instant {
      guard let activity else { return .epoch }
      return maxAge.map { facts.instant(activity) + $0 } ?? .distantFuture
    }

    private func word(_ facts: FactTable, at now: Instant) -> Int? {
      guard let activity, case .symbol(let word) = facts.value(activity, at: now, maxAge: maxAge),
        speeds.indices.contains(word)
      else { return nil }
      return word
    }
  }
}
