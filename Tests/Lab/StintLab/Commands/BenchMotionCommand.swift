import StintCommands
import StintTools

/// `stint-lab bench motion`.
enum BenchMotionCommand {
  static let definition = CommandDefinition(
    name: "bench motion", operands: "DIR", operandCount: 1...1,
    meaning: "count the activities found in recorded accelerations",
    detail: "DIR has tables with the columns t_s,ax,ay,az,label (m/s2). Windows are half\n"
      + "a second apart. Unclear windows have a confidence below 0.5.",
    options: [],
    run: { arguments, console in
      console.result(try MotionConfusion(folder: arguments.operands[0]).text(console.resultPaint))
      return .fine
    })
}
