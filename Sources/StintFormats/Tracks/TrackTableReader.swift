import StintModel
import StintUnits

/// Reads a track from a table: `t_s,lat,lon` and, where the recorder knew them,
/// `alt_m,speed_mps,accuracy_m,label`.
struct TrackTableReader {
  private enum Column: Int {
    case time, latitude, longitude, altitude, speed, accuracy, label
  }

  private static let columns = [
    TableColumn(name: "t_s", isRequired: true), TableColumn(name: "lat", isRequired: true),
    TableColumn(name: "lon", isRequired: true), TableColumn(name: "alt_m"), TableColumn(name: "speed_mps"),
    TableColumn(name: "accuracy_m"), TableColumn(name: "label"),
  ]

  private var table: TableReader
  private var assembly = TrackAssembly()
  /// The last label: most rows repeat it.
  private var label: String?

  init(_ lines: LineSource) throws(FormatError) { table = try TableReader(lines, columns: Self.columns) }

  /// The next point; nil at the end.
  mutating func next() throws(FormatError) -> TrackPoint? {
    guard try table.advance() else { return nil }
    let time = try table.time(Column.time.rawValue)
    if let objection = assembly.objection(to: time) {
      throw table.error(.order, objection, column: Column.time.rawValue, step: "sort the rows by time")
    }
    let latitude = try table.requiredNumber(Column.latitude.rawValue)
    let longitude = try table.requiredNumber(Column.longitude.rawValue)
    let position: Coordinate
    switch TrackAssembly.position(latitude: latitude, longitude: longitude) {
    case .success(let coordinate): position = coordinate
    case .failure(let fault):
      let column = fault.isLatitude ? Column.latitude : .longitude
      throw table.error(.value, fault.sentence, column: column.rawValue, step: fault.step)
    }
    if let label, !table.holds(label, Column.label.rawValue) { self.label = nil }
    if label == nil { label = table.text(Column.label.rawValue) }
    return TrackPoint(
      time: time, position: position, altitude: try table.number(Column.altitude.rawValue),
      speed: try table.amount(Column.speed.rawValue), accuracy: try table.amount(Column.accuracy.rawValue),
      label: label)
  }
}
