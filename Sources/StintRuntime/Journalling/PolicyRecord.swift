public import StintGovernor
import StintUnits

/// The journal records of policies that come into force: their source texts and the hash of their image.
///
/// The records are created while the previous policies run, because this work takes longer than one step may
/// take.
public struct PolicyRecord: Sendable {
  /// The process that requested the policies, such as `user 0, /usr/bin/stint, process 4711`. Nil when no
  /// process requested them, for example when they come from the watched folder.
  public var author: String?
  let texts: [UInt8]
  let image: [UInt8]

  /// Encodes the source texts and computes the hash of the image.
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
