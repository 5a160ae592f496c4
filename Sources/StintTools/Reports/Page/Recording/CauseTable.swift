import StintModel
import StintUnits

/// Assigns an index to each distinct cause of a run. The number of stored causes is bounded.
struct CauseTable: Hashable, Sendable {
  /// A cause in words, from the client to the setting.
  struct Chain: Hashable, Sendable {
    struct Link: Hashable, Sendable {
      var client: String
      var demand: String
      var wants: String
      var rules: [String]
      var grant: String
    }

    var links: [Link]
    var setting: String
  }

  /// The index of floor power, which has no demand.
  static let floor = 0
  /// The index of all new causes that occurred after the table was full.
  static let others = 1

  /// The causes by index. The first two entries are `floor` and `others`.
  private(set) var chains = [Chain(links: [], setting: ""), Chain(links: [], setting: "")]
  /// For each cause, the index of the first cause with the same shape. The shape of a cause is the cause
  /// without demand ids and without repeated links.
  private(set) var shapes = [floor, others]
  private var numbers: [Cause: Int] = [:]
  private var shapeNumbers: [Chain: Int] = [:]
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { chains.count >= limit + 2 }

  /// Returns the index of a cause and adds the cause when it is new.
  mutating func number(of cause: Cause?, wants: [DemandID: DemandSettings]) -> Int {
    guard let cause, !cause.links.isEmpty else { return Self.floor }
    if let number = numbers[cause] { return number }
    guard !isFull else { return Self.others }
    let number = chains.count
    let chain = Self.chain(cause, wants)
    var shape = Chain(links: [], setting: chain.setting)
    for var link in chain.links {
      link.demand = ""
      if !shape.links.contains(link) { shape.links.append(link) }
    }
    chains.append(chain)
    shapes.append(shapeNumbers[shape] ?? number)
    shapeNumbers[shape] = shapes[number]
    numbers[cause] = number
    return number
  }

  // MARK: Words

  private static func chain(_ cause: Cause, _ wants: [DemandID: DemandSettings]) -> Chain {
    Chain(
      links: cause.links.map { link in
        Chain.Link(
          client: link.client.name, demand: link.demand.description,
          wants: wants[link.demand].map(text) ?? "", rules: link.rules.map(\.description),
          grant: text(of: link.grant, from: cause.device))
      }, setting: cause.setting.description)
  }

  private static func text(of wants: DemandSettings) -> String {
    var parts: [String] = []
    if let accuracy = wants.accuracy { parts.append("accuracy \(Quantity(accuracy, .length))") }
    if let period = wants.period { parts.append("every \(period)") }
    if let latency = wants.latency { parts.append("within \(latency)") }
    if let activity = wants.activity { parts.append(activity) }
    if !wants.attributes.isEmpty { parts.append(wants.attributes.text) }
    if wants.background == true { parts.append("also in the background") }
    if let transfer = wants.transfer {
      parts.append("\(Quantity(Double(transfer.bytes), .data)) to transfer")
      if let deadline = transfer.deadline { parts.append("within \(deadline)") }
    }
    return parts.joined(separator: ", ")
  }

  private static func text(of grant: Grant, from device: DeviceID) -> String {
    guard grant.status == .served else { return grant.status.rawValue }
    var parts = ["served"]
    if let provider = grant.provider, provider != device { parts.append("by \(provider)") }
    if let accuracy = grant.accuracy { parts.append("accuracy \(Quantity(accuracy, .length))") }
    if let period = grant.period { parts.append("every \(period)") }
    if let latency = grant.latency { parts.append("within \(latency)") }
    if !grant.attributes.isEmpty { parts.append(grant.attributes.text) }
    for hold in grant.holds {
      parts.append("held until \(hold.bounds.map(\.description).joined(separator: " or ")) (\(hold.rule))")
    }
    return parts.joined(separator: ", ")
  }
}
