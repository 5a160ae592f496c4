import StintModel
import StintUnits

extension ServiceWord: ImageCodable {
  static var minBytes: Int { 1 }
  private static let order: [ServiceWord] = [.visits, .moves, .orientation]

  func write(to writer: inout ImageWriter) {
    switch self {
    case .visits: writer.byte(0)
    case .moves: writer.byte(1)
    case .orientation: writer.byte(2)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let number = Int(try reader.byte())
    guard Self.order.indices.contains(number) else {
      throw reader.trap(.encoding, at: place, "unknown service \(number)")
    }
    self = Self.order[number]
  }
}

extension Observation: ImageCodable {
  static var minBytes: Int { 2 }

  func write(to writer: inout ImageWriter) {
    switch self {
    case .spread(let device, let window): writer.write(case: 0, device, window)
    case .heard(let device): writer.write(case: 1, device)
    case .failed(let device): writer.write(case: 2, device)
    case .batchDone(let device): writer.write(case: 3, device)
    case .unexplained(let device): writer.write(case: 4, device)
    case .watching(let word): writer.write(case: 5, word)
    case .used(let device, let word): writer.write(case: 6, device, word)
    case .energy(let word): writer.write(case: 7, word)
    case .signal(let signal): writer.write(case: 8, signal.rawValue)
    case .powered(let device): writer.write(case: 9, device)
    case .starts(let device): writer.write(case: 10, device)
    case .hostWakeups: writer.byte(11)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .spread(try reader.read(), try reader.read())
    case 1: self = .heard(try reader.read())
    case 2: self = .failed(try reader.read())
    case 3: self = .batchDone(try reader.read())
    case 4: self = .unexplained(try reader.read())
    case 5: self = .watching(try reader.read())
    case 6: self = .used(try reader.read(), by: try reader.read())
    case 7: self = .energy(try reader.read())
    case 8:
      let path = try reader.read(String.self)
      guard let signal = ServiceSignal(rawValue: path) else {
        throw reader.trap(.encoding, at: place, "unknown signal “\(path)” of services")
      }
      self = .signal(signal)
    case 9: self = .powered(try reader.read())
    case 10: self = .starts(try reader.read())
    case 11: self = .hostWakeups
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of observation: \(other)")
    }
  }
}

extension ServiceDefaults: ImageCodable {
  static var minBytes: Int { 8 }

  func write(to writer: inout ImageWriter) {
    writer.write(filter, fuzz, heartbeat, nested, session, discretionary, cellular, outOfProcess)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init()
    filter = try reader.read()
    fuzz = try reader.read()
    heartbeat = try reader.read()
    nested = try reader.read()
    session = try reader.read()
    discretionary = try reader.read()
    cellular = try reader.read()
    outOfProcess = try reader.read()
  }
}
