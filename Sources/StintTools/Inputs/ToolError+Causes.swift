public import StintFormats
public import StintRuntime

extension ToolError {
  /// What a file or folder refused.
  public init(_ error: FileError) {
    self.init(.file, place: error.path, cause: error.cause, nextStep: error.nextStep)
  }

  /// What is wrong with a manifest, a scenario or a track.
  public init(_ errors: FormatErrors) {
    let codes = errors.problems.map(\.code)
    let code: Code
    if codes.contains(.notFound) || codes.contains(.unreadable) || codes.contains(.folder) {
      code = .file
    } else {
      code =
        codes.contains(.unknownName) && errors.problems.allSatisfy { $0.place == .none }
        ? .unknownName : .content
    }
    self.init(
      code,
      errors.problems.map { problem in
        var place = problem.source
        if problem.place != .none { place += ":\(problem.place)" }
        if !problem.path.isEmpty { place += ": \(problem.path)" }
        return Problem(place: place, cause: problem.cause, nextStep: problem.step)
      })
  }
}
