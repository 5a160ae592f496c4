import StintModel
import StintPluginKit
import StintUnits

/// Checks the sequence numbers and times of the samples of one process, and counts missing numbers.
struct SampleNumbering: Sendable {
  /// The sequence number of this process's first sample, which continues the numbers of earlier processes.
  private let first: UInt64
  /// The expected sequence number of the next sample.
  private(set) var next: UInt64
  /// The number of lost samples: the count of missing sequence numbers.
  private(set) var lost: UInt64 = 0
  private var latest: Instant?

  init(first: UInt64) {
    self.first = first
    next = first
  }

  /// Returns the samples with the device's sequence numbers, which continue over all processes.
  ///
  /// - Parameters:
  ///   - samples: the samples of a batch, numbered from 0 by the process.
  ///   - channels: the number of channels in the manifest.
  ///   - limit: the instant of the batch.
  ///   - gapsAreLosses: false when the process may have overwritten samples on request.
  /// - Throws: a fault in these cases: a time is in the future or before the previous time; a number is too
  ///   large, does not ascend, or follows too large a gap; an undeclared channel has a value.
  mutating func numbered(
    _ samples: [Sample], channels: Int, notAfter limit: Instant, gapsAreLosses: Bool
  ) throws(FrameFault) -> [Sample] {
    var samples = samples
    for place in samples.indices {
      let sample = samples[place]
      guard sample.instant <= limit else {
        throw FrameFault(
          .time, "sent a sample dated \(Instant.span(from: limit, to: sample.instant)) in the future")
      }
      if let latest, sample.instant < latest {
        let gap = Instant.span(from: sample.instant, to: latest)
        throw FrameFault(.time, "sent a sample dated \(gap) before the previous one")
      }
      let number = try number(of: sample)
      guard Self.usesOnly(channels, sample) else {
        throw FrameFault(.value, "sent values in channels that its manifest does not declare")
      }
      if gapsAreLosses { lost = lost.addingSaturated(number - next) }
      next = number + 1
      samples[place].sequence = number
      latest = sample.instant
    }
    return samples
  }

  private func number(of sample: Sample) throws(FrameFault) -> UInt64 {
    let (number, overflow) = sample.sequence.addingReportingOverflow(first)
    // After the largest sequence number, no number would be left for the next sample.
    guard !overflow, number < .max else {
      throw FrameFault(.sequence, "sent sample number \(sample.sequence), which is too large")
    }
    guard number >= next else {
      throw FrameFault(.sequence, "sent sample number \(sample.sequence) where a higher number is expected")
    }
    guard number - next <= InputBounds.sampleGap else {
      throw FrameFault(
        .sequence, "sent sample number \(sample.sequence) after a gap of \(number - next) samples")
    }
    return number
  }

  private static func usesOnly(_ channels: Int, _ sample: Sample) -> Bool {
    channels >= 4
      || sample.fourth == 0
        && (channels == 3
          || sample.third == 0
            && (channels == 2 || sample.second == 0 && (channels == 1 || sample.first == 0)))
  }
}

extension Instant {
  /// Returns the time between two instants, without overflow: a plugin may send any instant.
  static func span(from earlier: Instant, to later: Instant) -> TimeSpan {
    let (span, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflow ? .unlimited : TimeSpan(nanoseconds: span)
  }
}
