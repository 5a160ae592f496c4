/// A violation of a property that must hold for any bytes.
struct FuzzFinding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws a finding with `description` when `holds` is false.
  static func unless(_ holds: Bool, _ description: @autoclosure () -> String) throws(FuzzFinding) {
    if !holds { throw FuzzFinding(description()) }
  }
}
