import StintLab

/// The program `stint-lab`.
@main struct Main {
  static func main() {
    LabCommands.runAndExit(arguments: Array(CommandLine.arguments.dropFirst()))
  }
}
