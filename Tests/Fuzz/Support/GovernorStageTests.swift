#if !FUZZING && !TURNING
  import StintGovernor
  import StintModel
  import StintTestSupport
  import Testing

  @Suite("Governor inputs with extreme numbers")
  struct GovernorStageTests {
    /// Returns pseudorandom bytes; equal seeds give equal bytes.
    private static func bytes(_ seed: Int, count: Int) -> [UInt8] {
      var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
      return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 32)
      }
    }

    @Test("a series of pseudorandom inputs causes no trap and keeps the ledger balanced", arguments: 0..<4)
    func courses(part: Int) throws {
      for round in Trials(5000).rounds {
        let seed = round * 4 + part
        do { try GovernorStage.run(Self.bytes(seed, count: 48)) } catch {
          Issue.record("seed \(seed): \(error)")
          return
        }
      }
    }
  }
#endif
