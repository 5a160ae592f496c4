/// A rule that every plugin follows; the raw value is the rule in words.
public enum PluginCheck: String, Hashable, Sendable, CaseIterable {
  case manifest = "the manifest is sound"
  case opens = "opens without an error"
  case offByDefault = "draws nothing above its floor before a setting asks for it"
  case answers = "answers a setting with its power state"
  case turnsOn = "a setting that is on leads to a state that is on"
  case transitions = "moves only along the manifest's transitions"
  case ascending = "samples ascend in time and sequence, none from the future"
  case channels = "channels that the manifest does not name stay empty"
  case silentWhenOff = "nothing is handed over after it was turned off"
  case holds = "holds samples back when told to, no more than its log takes"
  case drains = "a drain hands over what is held"
  case carries = "every transfer is carried once"
  case returns = "falls back to its floor when nothing is asked of it"
  case offAfterClose = "is off after closing, and silent"
  case honest = "says nothing that its manifest does not declare"
}
