import StintFormats

/// What a refusal must say: something, about a place that there is.
enum Refusals {
  static func check(_ errors: FormatErrors) throws(FuzzFinding) {
    for problem in errors.problems {
      try FuzzFinding.unless(!problem.cause.isEmpty && !problem.source.isEmpty, "a refusal says nothing")
      try FuzzFinding.unless(problem.description.utf8.count < 4_000, "a refusal is a novel")
    }
  }
}
