import StintFormats
import StintModel

extension DevicePart {
  /// A radio that draws one power while it sends and another while it receives.
  ///
  /// - Parameters:
  ///   - promotion: how long it rises, and what it draws; nil where it rises at once.
  ///   - ramp: what rising costs at once; nil where it costs only time.
  ///   - tails: what follows the last byte, one stage after the other, at most two.
  static func radio(
    _ device: DeviceID, idle: String, promotion: (time: String, power: String)? = nil, ramp: String? = nil,
    sending: (rate: String, power: String), receiving: (rate: String, power: String),
    tails: [(time: String, power: String)]
  ) -> DevicePart {
    let tailNames = ["tail", "tail_low"].prefix(tails.count)
    var states: [JSONValue] = [.powerState("idle", idle, on: false)]
    if let promotion { states.append(.powerState("promotion", promotion.power, on: true)) }
    states.append(.powerState("sending", sending.power, on: true))
    states.append(.powerState("receiving", receiving.power, on: true))
    for (name, tail) in zip(tailNames, tails) { states.append(.powerState(name, tail.power, on: true)) }
    var figures: [(String, JSONValue)] = [
      ("up_rate", JSONValue(sending.rate)), ("down_rate", JSONValue(receiving.rate)),
      ("promotion", JSONValue(promotion?.time ?? "0 s")),
    ]
    for (name, tail) in zip(tailNames, tails) { figures.append((name, JSONValue(tail.time))) }
    // It may move between any two states: which it does is a matter of what there is to carry.
    let names = states.compactMap { $0["name"]?.string }
    let moves = names.flatMap { from in names.filter { $0 != from }.map { JSONValue.move(from, $0) } }
    return DevicePart(
      device,
      [
        ("vendor", "published figures"), ("states", JSONValue(states)), ("transitions", JSONValue(moves)),
        ("events", JSONValue(ramp.map { [.event("promotion", $0)] } ?? [])),
      ],
      figures: figures)
  }
}
