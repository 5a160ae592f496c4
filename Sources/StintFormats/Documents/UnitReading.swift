import StintModel
import StintUnits

/// Reads the units that a site or scenario declares for its facts.
enum UnitReading {
  /// Reads the member `units` of a file. All other parts of the file may then use these units.
  static func units(_ root: JSONObject) {
    guard let field = root.optional("units"), let items = field.items() else { return }
    let units = items.compactMap { ManifestReader.unit($0) }
    root.findings.units = UnitTable(units)
    // The indices are valid in the file only when every unit could be read.
    guard units.count == items.count else { return }
    for fault in Manifest.faults(of: units) {
      guard let index = Int(fault.path.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }) else { continue }
      items[index].report(.value, fault.sentence, remedy: "correct the unit here")
    }
  }
}
