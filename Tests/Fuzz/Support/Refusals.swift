import StintFormats
import StintUnits

/// What a refusal must say: something, about a place that there is.
enum Refusals {
  static func check(_ errors: Problem) throws(FuzzFinding) {
    for problem in errors.all {
      try FuzzFinding.unless(!problem.cause.isEmpty && !problem.place.name.isEmpty, "a refusal says nothing")
      try FuzzFinding.unless(problem.description.utf8.count < 4_000, "a refusal is a novel")
    }
  }
}
