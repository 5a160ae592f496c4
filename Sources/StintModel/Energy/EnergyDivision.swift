public import StintUnits

/// The parts of a device's energy that its demands pay, when these demands need different settings.
///
/// A higher sampling rate costs more power. The demands that need at least a certain rate divide the
/// additional power of this rate evenly. The power of more expensive values of attributes is divided in the
/// same way. All demands divide the power of the device's state evenly, unless the device can idle between
/// two samples. Then a demand that lets the device idle for ten minutes does not pay for a demand that keeps
/// the device on. So a demand pays at most the mean power that the device would draw for this demand alone.
public struct EnergyDivision: Sendable {
  /// The number of units in a whole. All parts are counted in these units.
  static let whole: Int64 = 1 << 24

  /// The parts of one demand, in units of 1 / `whole`.
  private struct Part {
    /// The part of the energy of the device's state.
    var state: Int64 = 0
    /// The part of the energy that depends on the sampling rate.
    var rate: Int64 = 0
    /// The part of the energy that depends on attributes.
    var attributes: Int64 = 0
  }

  /// A part for each link of the cause. Empty when all parts are equal.
  private var parts: [Part] = []
  /// The index of the demand that pays the remainder of rounding: one of the demands with the highest
  /// sampling rate.
  private var fastest = 0
  /// Memory for the order of the demands, kept between calls.
  private var order: [Int] = []

  /// Makes a division into equal parts.
  public init() {}

  /// True when all demands pay equal parts.
  public var isEven: Bool { parts.isEmpty }

  /// Computes the parts for a new cause.
  ///
  /// - Parameters:
  ///   - cause: the demands for which the device works, with their grants.
  ///   - manifest: the manifest of the device, which contains the power of attributes. Only the demands of a
  ///     sensor pay different parts.
  ///   - idle: how the device idles between two samples; nil for a device that stays on.
  public mutating func update(for cause: Cause, of manifest: Manifest, idle: IdleModeChoice? = nil) {
    parts.removeAll(keepingCapacity: true)
    guard manifest.kind == .sensor, let first = cause.links.first,
      cause.links.contains(where: { !$0.grant.hasEqualCost(first.grant) })
    else { return }
    for _ in cause.links { parts.append(Part()) }
    divideRate(cause.links, idle)
    if !cause.setting.attributes.isEmpty { divideAttributes(cause, manifest) }
  }

  /// Divides the energy of the sampling rate and of the state. A demand without a period counts as a demand
  /// with the highest rate.
  private mutating func divideRate(_ links: [Cause.Link], _ idle: IdleModeChoice?) {
    let shortest = links.compactMap(\.grant.period).filter { $0 > .zero }.min() ?? TimeSpan(nanoseconds: 1)
    func period(_ place: Int) -> TimeSpan { max(links[place].grant.period ?? shortest, shortest) }
    func level(_ place: Int) -> Int64 {
      Int64(Int128(Self.whole) * Int128(shortest.nanoseconds) / Int128(period(place).nanoseconds))
    }
    fastest = links.indices.first { level($0) == Self.whole } ?? 0
    divide(links.count, level: level, to: \.rate)
    let most = idle?.meanPower(over: shortest).nanowatts ?? 0
    func stateLevel(_ place: Int) -> Int64 {
      guard let idle, most > 0 else { return Self.whole }
      let own = min(idle.meanPower(over: period(place)).nanowatts, most)
      return Int64(Int128(Self.whole) * Int128(max(own, 0)) / Int128(most))
    }
    divide(links.count, level: stateLevel, to: \.state)
  }

  /// Divides the energy of each attribute.
  private mutating func divideAttributes(_ cause: Cause, _ manifest: Manifest) {
    func power(_ link: Cause.Link, _ name: String) -> Int64 {
      guard let value = link.grant.attributes[name] else { return 0 }
      return max(manifest.attribute(named: name)?.power(of: value).nanowatts ?? 0, 0)
    }
    let names = cause.setting.attributes.sorted.map(\.name)
    let most = names.map { name in cause.links.map { power($0, name) }.max() ?? 0 }
    let total = most.reduce(Int128(0)) { $0 + Int128($1) }
    guard total > 0 else { return }
    for name in names {
      divide(
        cause.links.count,
        level: { Int64(Int128(Self.whole) * Int128(power(cause.links[$0], name)) / total) },
        to: \.attributes)
    }
  }

  /// Adds a cost to the parts. Demands at or above a level divide the cost of this level evenly.
  private mutating func divide(
    _ count: Int, level: (Int) -> Int64, to part: WritableKeyPath<Part, Int64>
  ) {
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: 0..<count)
    order.sort { (level($0), $0) < (level($1), $1) }
    var (lower, paid) = (Int64(0), Int64(0))
    for (rank, place) in order.enumerated() {
      let own = level(place)
      paid += (own - lower) / Int64(count - rank)
      lower = own
      parts[place][keyPath: part] += paid
    }
  }

  /// Returns the weights of all demands for one amount of energy.
  func weights(over basis: Basis) -> Weights { Weights(self, basis) }
}

extension EnergyDivision {
  /// The composition of an amount of energy, in units of 1 / `whole`.
  public struct Basis: Hashable, Sendable {
    /// The part that the state of the device needs.
    var common: Int64
    /// The part that depends on the sampling rate.
    var rate: Int64
    /// The part that depends on attributes.
    var attributes: Int64

    /// The composition of energy that the state of the device needs.
    public static let common = Basis(common: EnergyDivision.whole, rate: 0, attributes: 0)
    /// The composition of energy that samples need.
    public static let samples = Basis(common: 0, rate: EnergyDivision.whole, attributes: 0)

    private init(common: Int64, rate: Int64, attributes: Int64) {
      self.common = common
      self.rate = rate
      self.attributes = attributes
    }

    /// Determines the composition of a power.
    ///
    /// - Parameters:
    ///   - power: the whole power of the device.
    ///   - state: the power of its state at a sampling rate of 0 Hz.
    ///   - attributes: the power that its attributes add.
    public init(of power: Power, state: Power, attributes: Power) {
      guard power.nanowatts > 0 else {
        self = .common
        return
      }
      func part(_ own: Power) -> Int64 {
        let clamped = min(max(own.nanowatts, 0), power.nanowatts)
        return Int64(Int128(EnergyDivision.whole) * Int128(clamped) / Int128(power.nanowatts))
      }
      common = part(state)
      self.attributes = min(part(attributes), EnergyDivision.whole - common)
      rate = EnergyDivision.whole - common - self.attributes
    }
  }

  /// The weights of the demands for one amount of energy. Their sum is exactly `whole`.
  struct Weights {
    private let division: EnergyDivision
    private let basis: Basis
    /// The remainder of rounding.
    private var rest = EnergyDivision.whole

    fileprivate init(_ division: EnergyDivision, _ basis: Basis) {
      self.division = division
      self.basis = basis
      for place in division.parts.indices { rest -= rounded(place) }
    }

    private func rounded(_ place: Int) -> Int64 {
      let part = division.parts[place]
      let sum = basis.common * part.state + basis.rate * part.rate + basis.attributes * part.attributes
      return sum / EnergyDivision.whole
    }

    /// Returns the weight of a demand, given its index in the cause.
    subscript(place: Int) -> Int64 { rounded(place) + (place == division.fastest ? rest : 0) }
  }
}

extension Grant {
  /// Returns whether both grants need the same sampling rate and the same attributes.
  fileprivate func hasEqualCost(_ other: Grant) -> Bool {
    period == other.period && attributes == other.attributes
  }
}
