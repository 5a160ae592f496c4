import StintModel
import StintUnits

extension ImageFact: ImageCodable {
  static var minBytes: Int { 5 }

  func write(to writer: inout ImageWriter) {
    writer.index(number)
    writer.write(maxAge)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(number: try reader.index(), maxAge: try reader.read())
  }
}

extension ImageSchedule: ImageCodable {
  static var minBytes: Int { 4 }

  func write(to writer: inout ImageWriter) { writer.write(windows) }
  init(from reader: inout ImageReader) throws(Problem) { self.init(windows: try reader.read()) }
}

extension ImageSchedule.Window: ImageCodable {
  static var minBytes: Int { 17 }

  /// Writes the weekdays as the bits of one byte; Monday is the lowest bit.
  func write(to writer: inout ImageWriter) {
    writer.byte(days.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 })
    writer.write(from)
    writer.write(to)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let bits = try reader.byte()
    guard bits < 128 else { throw reader.trap(.encoding, at: place, "there are more than seven weekdays") }
    self.init(
      days: (0..<7).map { bits >> UInt8($0) & 1 == 1 }, from: try reader.read(), to: try reader.read())
  }
}

extension ImageOverride: ImageCodable {
  static var minBytes: Int { 8 }

  func write(to writer: inout ImageWriter) {
    writer.index(winner)
    writer.index(loser)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(winner: try reader.index(), loser: try reader.index())
  }
}

extension SlotKey: ImageCodable {
  static var minBytes: Int { 16 }

  func write(to writer: inout ImageWriter) {
    writer.write(rule)
    writer.write(structure)
    writer.index(occurrence)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(rule: try reader.read(), structure: try reader.read(), occurrence: try reader.index())
  }
}

extension ImageSlot: ImageCodable {
  static var minBytes: Int { 26 }

  func write(to writer: inout ImageWriter) {
    writer.write(kind)
    writer.write(key)
    writer.index(place.lowerBound)
    writer.index(place.count)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let (kind, key) = (try reader.read(Kind.self), try reader.read(SlotKey.self))
    let start = try reader.index()
    self.init(kind: kind, key: key, place: start..<(start + (try reader.index())))
  }
}

extension LatchSide: ImageWord {}
extension WindowFunction: ImageWord {}

extension ImageSlot.Kind: ImageCodable {
  func write(to writer: inout ImageWriter) {
    switch self {
    case .latch(let side): writer.write(case: 0, side)
    case .heldFor(let span, let tolerate): writer.write(case: 1, span, tolerate)
    case .inLast(let span): writer.write(case: 2, span)
    case .window(let function, let fact, let span, let capacity):
      writer.byte(3)
      writer.write(function)
      writer.index(fact)
      writer.write(span)
      writer.index(capacity)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .latch(try reader.read())
    case 1: self = .heldFor(try reader.read(), tolerate: try reader.read())
    case 2: self = .inLast(try reader.read())
    case 3:
      self = .window(
        try reader.read(), fact: try reader.index(), try reader.read(), capacity: try reader.index())
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of slot: \(other)")
    }
  }
}

extension ImageRule.Trigger: ImageCodable {
  func write(to writer: inout ImageWriter) {
    switch self {
    case .level: writer.byte(0)
    case .rise(let atMost): writer.write(case: 1, atMost)
    case .period(let period, let flex): writer.write(case: 2, period, flex)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .level
    case 1: self = .rise(atMost: try reader.read())
    case 2: self = .period(try reader.read(), flex: try reader.read())
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of trigger: \(other)")
    }
  }
}
