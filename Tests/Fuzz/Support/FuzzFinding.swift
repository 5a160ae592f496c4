/// Something that must hold of any bytes, and did not.
struct FuzzFinding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Finds `description` unless the condition holds.
  static func unless(_ holds: Bool, _ description: @autoclosure () -> String) throws(FuzzFinding) {
    if !holds { throw FuzzFinding(description()) }
  }
}
