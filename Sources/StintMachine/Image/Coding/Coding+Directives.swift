import StintModel
import StintUnits

extension DeviceID: ImageCodable {
  static var leastBytes: Int { 4 }

  func write(to writer: inout ImageWriter) { writer.write(path) }
  init(from reader: inout ImageReader) throws(Problem) { self.init(try reader.read(String.self)) }
}

extension ClientID: ImageCodable {
  static var leastBytes: Int { 4 }

  func write(to writer: inout ImageWriter) { writer.write(name) }
  init(from reader: inout ImageReader) throws(Problem) { self.init(try reader.read(String.self)) }
}

extension RuleID: ImageCodable {
  static var leastBytes: Int { 8 }

  func write(to writer: inout ImageWriter) {
    writer.write(policy)
    writer.write(rule)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(policy: try reader.read(), rule: try reader.read())
  }
}

extension Transfer: ImageCodable {
  static var leastBytes: Int { 17 }

  func write(to writer: inout ImageWriter) {
    writer.write(bytesUp)
    writer.write(bytesDown)
    writer.write(deadline)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(bytesUp: try reader.read(), bytesDown: try reader.read(), deadline: try reader.read())
  }
}

extension DemandSettings: ImageCodable {
  static var leastBytes: Int { 7 }

  func write(to writer: inout ImageWriter) {
    writer.write(accuracy)
    writer.write(period)
    writer.write(latency)
    writer.write(activity)
    writer.write(background)
    writer.write(pausing)
    writer.write(transfer)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(
      accuracy: try reader.read(), period: try reader.read(), latency: try reader.read(),
      activity: try reader.read(), background: try reader.read(), pausing: try reader.read(),
      transfer: try reader.read())
  }
}

extension HoldBound: ImageCodable {
  static var leastBytes: Int { 9 }

  func write(to writer: inout ImageWriter) {
    switch self {
    case .time(let span):
      writer.byte(0)
      writer.write(span)
    case .distance(let metres):
      writer.byte(1)
      writer.write(metres)
    case .items(let count):
      writer.byte(2)
      writer.write(count)
    case .data(let bytes):
      writer.byte(3)
      writer.write(bytes)
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
  static var leastBytes: Int { 17 }

  func write(to writer: inout ImageWriter) {
    writer.write(rule)
    writer.write(action)
    writer.write(targets)
    writer.write(exceptions)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(
      rule: try reader.read(), action: try reader.read(), targets: try reader.read(),
      exceptions: try reader.read())
  }
}

extension Directive.Action: ImageCodable {
  func write(to writer: inout ImageWriter) {
    switch self {
    case .start(let client, let wants):
      writer.byte(0)
      writer.write(client)
      writer.write(wants)
    case .stop: writer.byte(1)
    case .pause: writer.byte(2)
    case .coarsen(let accuracy):
      writer.byte(3)
      writer.write(accuracy)
    case .slow(let period):
      writer.byte(4)
      writer.write(period)
    case .batch(let bounds):
      writer.byte(5)
      writer.write(bounds)
    case .postpone(let deadline):
      writer.byte(6)
      writer.write(deadline)
    case .serve(let word):
      writer.byte(7)
      writer.write(word)
    case .bar(let word):
      writer.byte(8)
      writer.write(word)
    case .resume(let start):
      writer.byte(9)
      writer.write(start.client)
      writer.write(start.session)
      writer.write(start.isAtOnce)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .start(client: try reader.read(), wants: try reader.read())
    case 1: self = .stop
    case 2: self = .pause
    case 3: self = .coarsen(accuracy: try reader.read())
    case 4: self = .slow(period: try reader.read())
    case 5: self = .batch(try reader.read())
    case 6: self = .postpone(deadline: try reader.read())
    case 7: self = .serve(try reader.read())
    case 8: self = .bar(try reader.read())
    case 9:
      self = .resume(
        TransferStart(client: try reader.read(), session: try reader.read(), isAtOnce: try reader.read()))
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of directive: \(other)")
    }
  }
}

extension Act: ImageCodable {
  static var leastBytes: Int { 5 }

  func write(to writer: inout ImageWriter) {
    switch self {
    case .fix(let target, let accuracy, let timeout):
      writer.byte(0)
      writer.write(target)
      writer.write(accuracy)
      writer.write(timeout)
    case .flush(let targets):
      writer.byte(1)
      writer.write(targets)
    case .emit(let event):
      writer.byte(2)
      writer.write(event)
    case .tell(let client, let text):
      writer.byte(3)
      writer.write(client)
      writer.write(text)
    case .launch(let client):
      writer.byte(4)
      writer.write(client)
    case .violation(let text):
      writer.byte(5)
      writer.write(text)
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
