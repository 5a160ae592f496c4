import StintMachine
public import StintModel
public import StintUnits

extension ImageListing {
  /// Returns the reason why the image cannot run with the devices of `vocabulary`; nil when it can run.
  public func refusal(path: String, vocabulary: Vocabulary) -> Problem? {
    do {
      _ = try ImageVerifier.verify(file, vocabulary: vocabulary)
      return nil
    } catch {
      return error.at(path)
    }
  }
}
