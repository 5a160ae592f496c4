import StintMachine
import StintModel
import StintUnits

/// Changes one element of an image at random, often to an invalid value.
struct Damage {
  func hit(_ image: inout Image, _ generator: inout SplitMix) {
    switch Int.random(in: 0..<9, using: &generator) {
    case 0, 1, 2: damageCode(&image, &generator)
    case 3: damageSlot(&image, &generator)
    case 4, 5: damageRule(&image, &generator)
    case 6: damageDirective(&image, &generator)
    case 7: damageTables(&image, &generator)
    default:
      let pair = ImageOverride(winner: number(&generator), loser: number(&generator))
      image.overrides.append(pair)
    }
  }

  private func number(_ generator: inout SplitMix) -> Int {
    generator.pick([0, 1, 2, 3, 7, 64, -1, 4097, 1 << 30, .max, .min])
  }

  private func span(_ generator: inout SplitMix) -> TimeSpan {
    generator.pick([
      .zero, .seconds(1), .seconds(5), .unlimited, TimeSpan(nanoseconds: -1), TimeSpan(nanoseconds: 1),
    ])
  }

  private func range(_ generator: inout SplitMix) -> Range<Int> {
    let ends = [number(&generator), number(&generator)].sorted()
    return ends[0]..<ends[1]
  }

  private func instruction(_ generator: inout SplitMix) -> Instruction {
    let place = number(&generator)
    return generator.pick([
      .constant(place), .fact(place), .compareFact(place, .less, constant: number(&generator)), .known(place),
      .age(place, .less, span: number(&generator)),
      .demanded(place), .schedule(place), .window(place), .not, .and, .or, .compare(.equal),
      .arithmetic(.divide),
      .negate, .oneOf(first: place, count: number(&generator)), .latch(place), .heldFor(place),
      .inLast(place),
    ])
  }

  private func damageCode(_ image: inout Image, _ generator: inout SplitMix) {
    guard !image.code.isEmpty else { return }
    let place = Int.random(in: image.code.indices, using: &generator)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: image.code[place] = instruction(&generator)
    case 1: image.code.remove(at: place)
    default: image.code.swapAt(place, Int.random(in: image.code.indices, using: &generator))
    }
  }

  private func damageSlot(_ image: inout Image, _ generator: inout SplitMix) {
    guard !image.slots.isEmpty else { return }
    let place = Int.random(in: image.slots.indices, using: &generator)
    image.slots[place].kind = generator.pick([
      .latch(.below), .heldFor(span(&generator), tolerate: span(&generator)), .inLast(span(&generator)),
      .window(.trend, fact: number(&generator), span(&generator), capacity: number(&generator)),
    ])
  }

  private func damageRule(_ image: inout Image, _ generator: inout SplitMix) {
    guard !image.rules.isEmpty else { return }
    let place = Int.random(in: image.rules.indices, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: image.rules[place].code = range(&generator)
    case 1: image.rules[place].directives = range(&generator)
    case 2: image.rules[place].acts = range(&generator)
    case 3: image.rules.remove(at: place)
    default:
      image.rules[place].trigger = generator.pick([
        .level, .rise(atMost: span(&generator)), .period(span(&generator), flex: span(&generator)),
      ])
    }
  }

  private func damageDirective(_ image: inout Image, _ generator: inout SplitMix) {
    guard !image.directives.isEmpty else { return }
    let place = Int.random(in: image.directives.indices, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: image.directives[place].rule = number(&generator)
    case 1: image.directives[place].until = range(&generator)
    case 2: image.directives[place].duration = span(&generator)
    case 3: image.directives[place].doublingTo = span(&generator)
    default: image.directives[place].atMost = number(&generator)
    }
  }

  private func damageTables(_ image: inout Image, _ generator: inout SplitMix) {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: image.facts.append(ImageFact(number: number(&generator), maxAge: span(&generator)))
    case 1: image.constants = image.constants.map { _ in generator.pick([.nan, .infinity, 0, -1e308]) }
    case 2: image.spans = [span(&generator)]
    case 3: image.schedules.removeAll()
    default:
      image.schedules = [
        ImageSchedule(windows: [
          .init(days: [true, false], from: span(&generator), to: span(&generator))
        ])
      ]
    }
  }
}
