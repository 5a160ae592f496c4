public import StintPluginKit
import StintSystem
import StintTools
import StintUnits

/// Runs a command line: parses it, calls the command, and returns the exit code.
public enum Commands {
  /// Runs a command line, given without the program's name, and returns the exit code.
  ///
  /// - Parameter linked: the plugins that a site file may name.
  public static func run(arguments: [String], linked: [LinkedPlugin] = []) -> Int32 {
    let system = SystemConsole()
    let code = run(arguments: arguments, table: .standard(linked: linked), console: system.console)
    return system.reportLoss() ? ExitCode.misuse.rawValue : code.rawValue
  }

  /// Runs a command line and ends the process with its exit code.
  public static func runAndExit(arguments: [String], linked: [LinkedPlugin] = []) -> Never {
    exit(run(arguments: arguments, linked: linked))
  }

  /// Runs a command line with the table of another program and ends the process with its exit code.
  package static func runAndExit(arguments: [String], table: CommandTable) -> Never {
    let system = SystemConsole()
    let code = run(arguments: arguments, table: table, console: system.console)
    exit(system.reportLoss() ? ExitCode.misuse.rawValue : code.rawValue)
  }

  static func run(arguments: [String], table: CommandTable, console: Console) -> ExitCode {
    do {
      return try dispatch(arguments, table, console)
    } catch let error as UsageError {
      console.complain(error.sentence, hint: error.hint)
      return .misuse
    } catch let error as Problem {
      console.complain(error)
      return error.isFinding ? .findings : .misuse
    } catch let refusal as PolicyRefusal {
      let wrap = console.logColumns.map { TextWrap(columns: $0) }
      console.log(refusal.check.text(console.logPaint, wrap: wrap))
      return .findings
    } catch {
      console.complain("\(error)", hint: "")
      return .misuse
    }
  }

  private static func dispatch(
    _ words: [String], _ table: CommandTable, _ console: Console
  ) throws -> ExitCode {
    guard let first = words.first else {
      console.log(table.overview(console.logPaint))
      return .misuse
    }
    switch first {
    case "--version":
      console.result("\(table.program) \(Version.package), policy language \(Version.language)")
      return .fine
    case "help", "-h", "--help":
      return try help(Array(words.dropFirst()), table, console)
    default:
      guard let (definition, length) = table.definition(for: words) else {
        let isHelp = words.count == 2 && ["-h", "--help"].contains(words[1])
        guard isHelp, let page = table.page(ofGroup: first, console.resultPaint) else {
          throw table.unknown(words)
        }
        console.result(page)
        return .fine
      }
      switch try ArgumentParser.parse(Array(words.dropFirst(length)), as: definition) {
      case .help:
        console.result(table.page(of: definition, console.resultPaint))
        return .fine
      case .run(let arguments):
        try CommandFiles(arguments, as: definition).check()
        return try definition.run(arguments, console)
      }
    }
  }

  private static func help(
    _ words: [String], _ table: CommandTable, _ console: Console
  ) throws -> ExitCode {
    guard let first = words.first, !first.hasPrefix("-") else {
      console.result(table.overview(console.resultPaint))
      return .fine
    }
    guard let (definition, _) = table.definition(for: words) else {
      guard words.count == 1, let page = table.page(ofGroup: first, console.resultPaint) else {
        throw table.unknown(words)
      }
      console.result(page)
      return .fine
    }
    console.result(table.page(of: definition, console.resultPaint))
    return .fine
  }
}
