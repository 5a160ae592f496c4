/// A rule that every plugin must follow. The raw value is the rule as a sentence.
public enum PluginCheck: String, Hashable, Sendable, CaseIterable {
  case manifest = "the manifest is valid"
  case opens = "opens without an error"
  case offByDefault = "stays in a state that is off until a setting turns it on"
  case answers = "answers a setting with its power state"
  case turnsOn = "a setting that turns the device on leads to a state that is on"
  case transitions = "changes its power state only along the manifest's transitions"
  case ascending = "times and sequence numbers of samples ascend, and no time is in the future"
  case channels = "channels that the manifest does not declare stay empty"
  case silentWhenOff = "delivers no samples after it was turned off"
  case holds = "holds samples when asked to, at most as many as its FIFO can store"
  case drains = "a drain delivers the held samples"
  case reads = "publishes every fact that its manifest marks with “read” when it is read"
  case carries = "carries each transfer once"
  case returns = "returns to a state that is off when it is turned off"
  case offAfterClose = "is off after closing, and silent"
  case honest = "publishes nothing that its manifest does not declare"
}
