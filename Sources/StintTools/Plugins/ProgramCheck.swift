/// What a plugin in a process of its own has to keep; the raw value is the rule in words.
///
/// The order is that in which they are tried.
public enum ProgramCheck: String, Hashable, Sendable, CaseIterable {
  case sealed = "its files are those that its descriptor means"
  case starts = "starts, and says that it is what its manifest says"
  case version = "speaks a version of the protocol that is known"
  case offByDefault = "draws nothing above its floor before a setting asks for it"
  case turnsOn = "a setting that is on leads to a state that is on"
  case answers = "answers within its deadlines"
  case rate = "keeps the rate that it answers with"
  case ascending = "samples ascend in time and number, none from the future"
  case honest = "says nothing that its manifest does not allow"
  case flood = "says no more than its rate lets expect"
  case holds = "holds samples back when told to, no more than its log takes"
  case drains = "a drain hands over what is held, once"
  case silentWhenOff = "is off when told to, and silent"
  case sleeps = "sleeps while it is off"
  case nonsense = "survives settings at the ends of what there is"
  case stays = "does not end by itself"
  case returns = "serves again after it was killed, with the setting that it had"
  case closes = "ends within its deadline when closed while on"
  case energy = "draws what its manifest says, by a recording of its power"
}
