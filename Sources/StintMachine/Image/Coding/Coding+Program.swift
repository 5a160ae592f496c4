import StintModel
import StintUnits

extension ComputedFact: ImageCodable {
  static var minBytes: Int { 15 }

  func write(to writer: inout ImageWriter) { writer.write(schema, source) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(schema: try reader.read(), source: try reader.read())
  }
}

extension ComputedFact.Source: ImageCodable {
  func write(to writer: inout ImageWriter) {
    switch self {
    case .wakeups(let device): writer.write(case: 0, device)
    case .energy(let device): writer.write(case: 1, device)
    case .unexplained: writer.byte(2)
    case .budget(let budget): writer.write(case: 3, budget)
    case .zone(let zone, let question): writer.write(case: 4, zone, question)
    case .rule(let rule): writer.write(case: 5, rule)
    case .machine(let initial):
      writer.byte(6)
      writer.index(initial)
    case .client(let fact): writer.write(case: 7, fact)
    case .grant(let fact): writer.write(case: 8, fact)
    case .respite(let device, let bound): writer.write(case: 9, device, bound)
    case .observed(let observation): writer.write(case: 10, observation)
    case .keyed: writer.byte(11)
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    switch try reader.byte() {
    case 0: self = .wakeups(try reader.read())
    case 1: self = .energy(try reader.read())
    case 2: self = .unexplained
    case 3: self = .budget(try reader.read())
    case 4: self = .zone(try reader.read(), try reader.read())
    case 5: self = .rule(try reader.read())
    case 6: self = .machine(initial: try reader.index())
    case 7: self = .client(try reader.read())
    case 8: self = .grant(try reader.read())
    case 9: self = .respite(try reader.read(), bound: try reader.read())
    case 10: self = .observed(try reader.read())
    case 11: self = .keyed
    case let other: throw reader.trap(.encoding, at: place, "unknown source of a computed fact: \(other)")
    }
  }
}

extension StateTransition: ImageCodable {
  static var minBytes: Int { 16 }

  func write(to writer: inout ImageWriter) {
    writer.write(rule)
    writer.write(machine)
    writer.index(target)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(rule: try reader.read(), machine: try reader.read(), target: try reader.index())
  }
}

extension DeviceDefaults: ImageCodable {
  static var minBytes: Int { 19 }

  func write(to writer: inout ImageWriter) { writer.write(device, wants, linger, services) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(
      device: try reader.read(), wants: try reader.read(), linger: try reader.read(),
      services: try reader.read())
  }
}
