#if FUZZING
  /// The stage that the name of the program selects.
  private let stage: FuzzStage = {
    let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    guard let stage = FuzzStage(rawValue: name) else { fatalError("there is no stage “\(name)”") }
    return stage
  }()

  /// libFuzzer calls this function for each input. A finding ends the process, as a trap does.
  @c(LLVMFuzzerTestOneInput)
  public func showStage(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    do {
      try stage.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
      fatalError(error.description)
    }
    return 0
  }
#endif
