import StintMachine

extension Image {
  /// Returns the constants with which conditions compare a fact. `number` is the index of the fact in the
  /// vocabulary.
  func limits(of number: Int) -> [Double] {
    guard let place = facts.firstIndex(where: { $0.number == number }) else { return [] }
    var limits: [Double] = []
    for (index, instruction) in code.enumerated() {
      switch instruction {
      case .compareFact(place, _, let constant): limits.append(constants[constant])
      case .fact(place):
        for next in code[(index + 1)...] {
          guard case .constant(let constant) = next else { break }
          limits.append(constants[constant])
        }
      default: continue
      }
    }
    return limits
  }
}
