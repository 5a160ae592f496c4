/// A sequence of bytes that selects actions. After the last byte, every further byte is 0.
struct Script {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isOver: Bool { rest.isEmpty }

  /// Returns a number from 0 to `limit - 1`; returns 0 when `limit` is 0. `limit` is at most 65,536.
  mutating func number(below limit: Int) -> Int {
    guard limit > 1 else { return 0 }
    let low = Int(rest.popFirst() ?? 0)
    let high = limit > 256 ? Int(rest.popFirst() ?? 0) : 0
    return (high << 8 | low) % limit
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }
}
