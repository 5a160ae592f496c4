/// Rules that a plugin in a separate process must follow. The raw value is the rule in words.
///
/// The cases are in the order of the report.
public enum ProgramCheck: String, Hashable, Sendable, CaseIterable {
  case sealed = "its files match the hashes in its descriptor"
  case starts = "starts, and identifies itself as the device of its manifest"
  case version = "uses a supported version of the protocol"
  case offByDefault = "stays in a state that is off until a setting turns it on"
  case turnsOn = "reports a state that is on after a setting turned it on"
  case answers = "answers within its deadlines"
  case rate = "produces samples at the rate that it reports"
  case ascending = "times and sequence numbers of samples ascend, and no time is in the future"
  case honest = "sends only what its manifest allows"
  case flood = "sends no more frames per second than the host allows"
  case holds = "holds samples when asked to, at most as many as its FIFO can store"
  case drains = "a drain delivers the held samples once"
  case reads = "publishes every fact that is marked with “read” in each reading, and only then"
  case carries = "completes a transfer, and is off when its transfers are complete"
  case abandons = "stops a transfer on request, and is off afterwards"
  case reports = "reports the end of an attempt that cannot succeed"
  case ignores = "continues to run after orders about unknown attempts and files"
  case silentWhenOff = "is off and sends nothing after it is turned off"
  case sleeps = "sleeps while it is off"
  case malformed = "continues to run after settings with extreme values"
  case stays = "does not exit by itself"
  case returns = "works again with its last setting after it was killed"
  case closes = "exits within its deadline when it is closed while its device is on"
  case energy = "draws the power in its manifest, according to a power recording"
}
