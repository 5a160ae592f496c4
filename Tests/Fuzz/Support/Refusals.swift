import StintFormats
import StintUnits

/// Checks the problems of a rejection. Each needs a cause, a named location, and a description of less than
/// 4000 bytes.
enum Refusals {
  static func check(_ errors: Problem) throws(FuzzFinding) {
    for problem in errors.all {
      try FuzzFinding.unless(!problem.cause.isEmpty && !problem.place.name.isEmpty, "no cause or location")
      try FuzzFinding.unless(problem.description.utf8.count < 4_000, "a rejection of 4000 bytes or more")
    }
  }
}
