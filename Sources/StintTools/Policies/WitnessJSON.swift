import StintFormats
import StintLanguage
import StintModel
import StintUnits

/// Converts a `Witness` (an example of facts and demands) to JSON. Facts are in base units, symbols are
/// strings, and null means unknown.
struct WitnessJSON {
  private let vocabulary: Vocabulary

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  func json(_ witness: Witness) -> JSONValue {
    var members = [
      JSONMember("facts", facts(witness.readings)), JSONMember("demanded", demands(witness.demands)),
    ]
    members.append(JSONMember("held_ns", JSONValue(witness.held.nanoseconds)))
    if !witness.isFresh {
      let earlier: JSONValue = [
        "facts": facts(witness.earlier), "demanded": demands(witness.earlierDemands),
      ]
      members.append(JSONMember("earlier", earlier))
    }
    if let time = witness.weekTime { members.append(JSONMember("week_time_ns", JSONValue(time.nanoseconds))) }
    return JSONValue(members)
  }

  private func facts(_ readings: [Witness.Reading]) -> JSONValue {
    JSONValue(readings.sorted { $0.path < $1.path }.map { JSONMember($0.path, value($0)) })
  }

  private func value(_ reading: Witness.Reading) -> JSONValue {
    switch reading.value {
    case .unknown: return .null
    case .boolean(let truth): return JSONValue(truth)
    case .number(let number): return JSONValue(number)
    case .symbol: return JSONValue(vocabulary.schema(reading.path)?.text(of: reading.value))
    }
  }

  private func demands(_ demands: [Witness.DemandAssumption]) -> JSONValue {
    JSONValue(
      demands.sorted { $0.device < $1.device }.map { JSONMember($0.device.path, JSONValue($0.isDemanded)) })
  }
}
