import StintCommands
import StintTools

extension Console {
  /// Prints figures as the arguments specify: as a table, as JSON, or compared with saved figures.
  func figures(_ text: String, _ json: String, of benchmark: String, _ arguments: Arguments) throws {
    if let path = arguments.text("compare") {
      result(try FigureComparison.text(of: json, benchmark: benchmark, saved: path, resultPaint))
    } else {
      result(arguments.has("json") ? json : text)
    }
  }
}
