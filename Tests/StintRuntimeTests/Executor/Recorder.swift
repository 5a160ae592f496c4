/// Records the order in which tasks call it.
actor Recorder {
  private(set) var entries: [String] = []

  func add(_ entry: String) { entries.append(entry) }
}
