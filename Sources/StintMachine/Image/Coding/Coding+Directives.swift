import StintModel
import StintUnits

extension DeviceID: ImageCodable {
  static var minBytes: Int { 4 }

  func write(to writer: inout ImageWriter) { writer.write(path) }
  init(from reader: inout ImageReader) throws(Problem) { self.init(try reader.read(String.self)) }
}

extension ClientID: ImageCodable {
  static var minBytes: Int { 4 }

  func write(to writer: inout ImageWriter) { writer.write(name) }
  init(from reader: inout ImageReader) throws(Problem) { self.init(try reader.read(String.self)) }
}

extension RuleID: ImageCodable {
  static var minBytes: Int { 8 }

  func write(to writer: inout ImageWriter) { writer.write(policy, rule) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(policy: try reader.read(), rule: try reader.read())
  }
}

extension Transfer: ImageCodable {
  static var minBytes: Int { 17 }

  func write(to writer: inout ImageWriter) { writer.write(bytesUp, bytesDown, deadline) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(bytesUp: try reader.read(), bytesDown: try reader.read(), deadline: try reader.read())
  }
}

extension AttributeValues.Entry: ImageCodable {
  static var minBytes: Int { 6 }

  func write(to writer: inout ImageWriter) {
    writer.write(name)
    switch value {
    case .quantity(let quantity): writer.write(case: 0, quantity.value, quantity.dimension)
    case .word(let word): writer.write(case: 1, word)
    case .truth(let truth): writer.write(case: 2, truth)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let name: String = try reader.read()
    let place = reader.position
    let value: AttributeValue
    switch try reader.byte() {
    case 0: value = .quantity(Quantity(try reader.read(), try reader.read()))
    case 1: value = .word(try reader.read())
    case 2: value = .truth(try reader.read())
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of attribute value: \(other)")
    }
    self.init(name: name, value: value)
  }
}

extension AttributeValues: ImageCodable {
  static var minBytes: Int { 4 }

  func write(to writer: inout ImageWriter) { writer.write(sorted) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init()
    let entries: [Entry] = try reader.read()
    for entry in entries { self[entry.name] = entry.value }
  }
}

extension DemandSettings: ImageCodable {
  static var minBytes: Int { 11 }

  func write(to writer: inout ImageWriter) {
    writer.write(accuracy, period, latency, activity, background, pausing, transfer, attributes)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(
      accuracy: try reader.read(), period: try reader.read(), latency: try reader.read(),
      activity: try reader.read(), background: try reader.read(), pausing: try reader.read(),
      transfer: try reader.read())
    attributes = try reader.read()
  }
}

extension HoldBound: ImageCodable {
  static var minBytes: Int { 9 }

  func write(to writer: inout ImageWriter) {
    switch self {
    case .time(let span): writer.write(case: 0, span)
    case .distance(let metres): writer.write(case: 1, metres)
    case .items(let count): writer.write(case: 2, count)
    case .data(let bytes): writer.write(case: 3, bytes)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .time(try reader.read())
    case 1: self = .distance(try reader.read())
    case 2: self = .items(try reader.read())
    case 3: self = .data(try reader.read())
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of bound: \(other)")
    }
  }
}

extension Directive: ImageCodable {
  static var minBytes: Int { 17 }

  func write(to writer: inout ImageWriter) { writer.write(rule, action, targets, exceptions) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(
      rule: try reader.read(), action: try reader.read(), targets: try reader.read(),
      exceptions: try reader.read())
  }
}

extension Directive.Action: ImageCodable {
  func write(to writer: inout ImageWriter) {
    switch self {
    case .start(let client, let wants): writer.write(case: 0, client, wants)
    case .stop: writer.byte(1)
    case .pause: writer.byte(2)
    case .limitAccuracy(let accuracy): writer.write(case: 3, accuracy)
    case .slow(let period): writer.write(case: 4, period)
    case .batch(let bounds): writer.write(case: 5, bounds)
    case .postpone(let deadline): writer.write(case: 6, deadline)
    case .serve(let word): writer.write(case: 7, word)
    case .stopService(let word): writer.write(case: 8, word)
    case .resume(let start): writer.write(case: 9, start.client, start.session, start.isAtOnce)
    case .limitAttributes(let values): writer.write(case: 10, values)
    case .locate(let zone): writer.write(case: 11, zone)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .start(client: try reader.read(), wants: try reader.read())
    case 1: self = .stop
    case 2: self = .pause
    case 3: self = .limitAccuracy(accuracy: try reader.read())
    case 4: self = .slow(period: try reader.read())
    case 5: self = .batch(try reader.read())
    case 6: self = .postpone(deadline: try reader.read())
    case 7: self = .serve(try reader.read())
    case 8: self = .stopService(try reader.read())
    case 9:
      self = .resume(
        TransferStart(client: try reader.read(), session: try reader.read(), isAtOnce: try reader.read()))
    case 10: self = .limitAttributes(try reader.read())
    case 11: self = .locate(zone: try reader.read())
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of directive: \(other)")
    }
  }
}

extension Act: ImageCodable {
  static var minBytes: Int { 5 }

  func write(to writer: inout ImageWriter) {
    switch self {
    case .fix(let target, let accuracy, let timeout): writer.write(case: 0, target, accuracy, timeout)
    case .flush(let targets): writer.write(case: 1, targets)
    case .emit(let event): writer.write(case: 2, event)
    case .tell(let client, let text): writer.write(case: 3, client, text)
    case .launch(let client): writer.write(case: 4, client)
    case .violation(let text): writer.write(case: 5, text)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .fix(target: try reader.read(), accuracy: try reader.read(), timeout: try reader.read())
    case 1: self = .flush(targets: try reader.read())
    case 2: self = .emit(try reader.read())
    case 3: self = .tell(client: try reader.read(), text: try reader.read())
    case 4: self = .launch(try reader.read())
    case 5: self = .violation(try reader.read())
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of action: \(other)")
    }
  }
}
