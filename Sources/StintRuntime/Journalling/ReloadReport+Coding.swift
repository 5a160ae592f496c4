import StintGovernor
import StintUnits

extension ReloadReport {
  func write(to bytes: inout ByteWriter) {
    bytes.integer(Int64(entries.count))
    for entry in entries {
      bytes.text(entry.kind.rawValue)
      bytes.text(entry.owner)
      bytes.text(entry.fullExpression())
      bytes.integer(Int64(entry.place?.lowerBound ?? -1))
      bytes.integer(Int64(entry.place?.upperBound ?? -1))
      bytes.text(entry.value)
      bytes.text(entry.migration.name)
      if case .moved(let name) = entry.migration { bytes.text(name) }
    }
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    self.init()
    for _ in 0..<(try reader.count()) {
      guard let kind = Kind(rawValue: try reader.text()) else {
        throw CodingFault(offset: reader.position, expected: "a kind of state")
      }
      let owner = try reader.text()
      let expression = try reader.text()
      let start = Int(try reader.integer())
      let end = Int(try reader.integer())
      let value = try reader.text()
      let migration: MigrationResult
      switch try reader.text() {
      case "kept": migration = .kept
      case "moved": migration = .moved(to: try reader.text())
      case "reset": migration = .reset
      case "dropped": migration = .dropped
      default: throw CodingFault(offset: reader.position, expected: "an outcome of a migration")
      }
      entries.append(
        Entry(
          kind: kind, owner: owner, expression: expression,
          place: start >= 0 && start <= end ? start..<end : nil, value: value, migration: migration))
    }
  }
}
