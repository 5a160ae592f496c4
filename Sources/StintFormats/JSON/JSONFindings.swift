/// Gathers every problem of one file while it is read, so that one run shows them all.
final class JSONFindings {
  let source: String
  private(set) var problems: [FormatError] = []

  init(source: String) { self.source = source }

  func report(
    _ code: FormatError.Code, at place: FormatPlace, path: String, _ cause: String, step: String = ""
  ) {
    problems.append(
      FormatError(code, source: source, place: place, path: path, cause: cause, step: step))
  }

  /// Throws what was found; does nothing when nothing was.
  func check() throws(FormatErrors) {
    if !problems.isEmpty { throw FormatErrors(problems) }
  }
}
