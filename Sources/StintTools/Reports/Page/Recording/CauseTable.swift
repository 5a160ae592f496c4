import StintModel
import StintUnits

/// The distinct causes of a run, each with a number; the number of causes is bounded.
struct CauseTable: Hashable, Sendable {
  /// One cause in words, from the client to the setting.
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

  /// The number of the floor, which has no demand.
  static let floor = 0
  /// The number of every cause that came when the book was full.
  static let others = 1

  /// By number. The first is floor power, the second stands for those that found no room.
  private(set) var chains = [Chain(links: [], setting: ""), Chain(links: [], setting: "")]
  /// By number: the first cause that is the same but for the numbers of its demands, and how many are alike.
  private(set) var shapes = [floor, others]
  private var numbers: [Cause: Int] = [:]
  private var shapeNumbers: [Chain: Int] = [:]
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { chains.count >= limit + 2 }

  /// The number of a cause, a new one if it was never seen.
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
    if wants.background == true { parts.append("in the background too") }
    if let transfer = wants.transfer {
      parts.append("\(Quantity(Double(transfer.bytes), .data)) to carry")
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
    for hold in grant.holds {
      parts.append("kept until \(hold.bounds.map(\.description).joined(separator: " or ")) (\(hold.rule))")
    }
    return parts.joined(separator: ", ")
  }
}
