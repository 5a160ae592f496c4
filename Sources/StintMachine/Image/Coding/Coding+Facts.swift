import StintModel
import StintUnits

extension Dimension: ImageCodable {
  static var minBytes: Int { 13 }

  func write(to writer: inout ImageWriter) {
    for path in Self.exponents { writer.byte(UInt8(bitPattern: self[keyPath: path])) }
    writer.write(isRatio)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init()
    for path in Self.exponents { self[keyPath: path] = try Self.exponent(&reader) }
    isRatio = try reader.read()
  }

  /// Reads an exponent of a dimension. An exponent is at least -8 and at most 8, so the exponents of a
  /// product of two dimensions fit into `Int8`.
  private static func exponent(_ reader: inout ImageReader) throws(Problem) -> Int8 {
    let place = reader.position
    let exponent = Int8(bitPattern: try reader.byte())
    guard (-8...8).contains(exponent) else {
      throw reader.trap(.unit, at: place, "the exponent \(exponent) of a dimension is out of range")
    }
    return exponent
  }
}

extension FactType: ImageCodable {
  func write(to writer: inout ImageWriter) {
    switch self {
    case .boolean: writer.byte(0)
    case .quantity(let dimension): writer.write(case: 1, dimension)
    case .symbol(let words): writer.write(case: 2, words)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .boolean
    case 1: self = .quantity(try reader.read())
    case 2: self = .symbol(try reader.read())
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of fact: \(other)")
    }
  }
}

extension FactSchema: ImageCodable {
  static var minBytes: Int { 14 }

  func write(to writer: inout ImageWriter) {
    writer.write(path, type, range, maxAge, fastest, isNoisy, device, meaning)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(
      path: try reader.read(), type: try reader.read(), range: try reader.read(), maxAge: try reader.read(),
      fastest: try reader.read(), isNoisy: try reader.read(), device: try reader.read(),
      meaning: try reader.read())
  }
}

extension Budget.Period: ImageWord {}

extension Budget: ImageCodable {
  static var minBytes: Int { 21 }

  func write(to writer: inout ImageWriter) { writer.write(amount, period, from, devices) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(
      amount: try reader.read(), period: try reader.read(), from: try reader.read(),
      devices: try reader.read())
  }
}

extension ZoneQuery: ImageWord {}

extension Zone: ImageCodable {
  static var minBytes: Int { 23 }

  func write(to writer: inout ImageWriter) {
    switch shape {
    case .circle(let centre, let radius): writer.write(case: 0, centre.latitude, centre.longitude, radius)
    case .beacon(let identity, let major, let minor): writer.write(case: 1, identity, major, minor)
    }
    writer.write(enterAfter)
    writer.write(exitAfter)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let shape: Shape
    switch try reader.byte() {
    case 0:
      let (latitude, longitude) = (try reader.read(Double.self), try reader.read(Double.self))
      guard let centre = Coordinate(latitude: latitude, longitude: longitude) else {
        throw reader.trap(.value, at: place, "invalid coordinates: \(latitude), \(longitude)")
      }
      shape = .circle(centre, radius: try reader.read())
    case 1:
      shape = .beacon(identity: try reader.read(), major: try reader.read(), minor: try reader.read())
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of zone: \(other)")
    }
    self.init(shape: shape, enterAfter: try reader.read(), exitAfter: try reader.read())
  }
}

extension ClientFact: ImageCodable {
  func write(to writer: inout ImageWriter) {
    switch self {
    case .isNamed(let name): writer.write(case: 0, name)
    case .accuracy: writer.byte(1)
    case .period: writer.byte(2)
    case .latency: writer.byte(3)
    case .activity: writer.byte(4)
    case .mayBackground: writer.byte(5)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .isNamed(try reader.read())
    case 1: self = .accuracy
    case 2: self = .period
    case 3: self = .latency
    case 4: self = .activity
    case 5: self = .mayBackground
    case let other: throw reader.trap(.encoding, at: place, "unknown kind of client fact: \(other)")
    }
  }
}

extension GrantFact.Part: ImageWord {}

extension GrantFact: ImageCodable {
  static var minBytes: Int { 9 }

  func write(to writer: inout ImageWriter) { writer.write(client, device, part) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(client: try reader.read(), device: try reader.read(), part: try reader.read())
  }
}
