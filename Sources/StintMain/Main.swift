import StintCommands
import StintGpsd
import StintIIO
import StintPowerSupply

/// The program `stint`.
@main struct Main {
  static func main() {
    Commands.runAndExit(
      arguments: Array(CommandLine.arguments.dropFirst()),
      linked: [GpsdPlugin.linked, IIOPlugin.linked, PowerSupplyPlugin.linked])
  }
}
