import StintRuntime

extension NativeRules {
  /// The output of the C program.
  struct Answer: Hashable, Sendable {
    var evaluateNanoseconds: Double
    var updateNanoseconds: Double
    var checksum: String
  }

  /// Compiles and runs the C program; nil without clang or when the program fails.
  func answer() -> Answer? {
    guard let folder = ChildProcess.temporaryFolder() else { return nil }
    defer { ChildProcess.remove(["rules.c", "rules", "log", "out"], folder: folder) }
    do { try FileText.write(Array(source.utf8), to: "\(folder)/rules.c") } catch { return nil }
    let compile = ["clang", "-O2", "-o", "\(folder)/rules", "\(folder)/rules.c"]
    guard ChildProcess.run(compile, output: "\(folder)/log") == 0,
      ChildProcess.run(["\(folder)/rules"], output: "\(folder)/out") == 0
    else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileText.read("\(folder)/out") } catch { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let evaluate = Double(words[0]), let update = Double(words[1]) else { return nil }
    return Answer(
      evaluateNanoseconds: evaluate, updateNanoseconds: update, checksum: String(words[2]))
  }
}
