/// Writes down in what order tasks came by.
actor Recorder {
  private(set) var entries: [String] = []

  func add(_ entry: String) { entries.append(entry) }
}
