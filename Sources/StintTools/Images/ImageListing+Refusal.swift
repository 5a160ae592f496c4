import StintMachine
public import StintModel

extension ImageListing {
  /// Why the file cannot be run with these devices; nil when it can.
  public func refusal(path: String, vocabulary: Vocabulary) -> ToolError? {
    do {
      _ = try ImageVerifier.verify(file, vocabulary: vocabulary)
      return nil
    } catch {
      return ToolError(error, in: path)
    }
  }
}
