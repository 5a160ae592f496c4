import StintCommands
import StintGpsd

/// The program `stint`.
@main struct Main {
  static func main() {
    Commands.runAndExit(
      arguments: Array(CommandLine.arguments.dropFirst()),
      linked: [GpsdPlugin.linked])
  }
}
