public import StintGovernor
import StintUnits

/// What a journal says of policies that come into force: their texts, and the hash of their image.
///
/// Both take longer than a step may wait, so they are made while the former policies run.
public struct PolicyRecord: Sendable {
  let texts: [UInt8]
  let image: [UInt8]

  /// Encodes the texts and hashes what they were compiled to.
  public init(_ policies: [JournalPolicy], _ program: Program) {
    var payload = ByteWriter()
    payload.integer(Int64(policies.count))
    for policy in policies {
      payload.text(policy.file)
      payload.text(policy.text)
    }
    texts = payload.bytes
    image = ImageFingerprint.digest(of: program)
  }
}
