import StintUnits

#if !FUZZING && !TURNING
  import StintGovernor
  import StintMachine
  import StintModel
  import StintUnits
  import Testing

  @Suite("Hostile images")
  struct HostileImageTests {
    struct Change: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let code: Problem.Code
      let seed: Int
      let change: @Sendable (inout ImageFile) -> Void

      init(
        _ name: String, _ code: Problem.Code, _ seed: Int = 3,
        _ change: @escaping @Sendable (inout ImageFile) -> Void
      ) {
        testDescription = name
        self.code = code
        self.seed = seed
        self.change = change
      }
    }

    private static func budget(_ file: inout ImageFile, _ change: (inout Budget) -> Void) {
      for place in file.computed.indices {
        guard case .budget(var budget) = file.computed[place].source else { continue }
        change(&budget)
        file.computed[place].source = .budget(budget)
      }
    }

    private static func zone(_ file: inout ImageFile, _ change: (inout Zone) -> Void) {
      for place in file.computed.indices {
        guard case .zone(var zone, let question) = file.computed[place].source else { continue }
        change(&zone)
        file.computed[place].source = .zone(zone, question)
      }
    }

    private static let changes =
      [
        Change("a fact beyond the vocabulary", .index) { $0.image.facts[0].number = 1 << 19 },
        Change("a budget of zero", .value) { budget(&$0) { $0.amount = .zero } },
        Change("a budget that begins after its period", .value) { budget(&$0) { $0.from = .hours(24) } },
        Change("a zone with a negative delay", .value) { zone(&$0) { $0.enterAfter = .seconds(-1) } },
        Change("a zone with an unlimited delay", .value) { zone(&$0) { $0.exitAfter = .unlimited } },
        Change("a zone with a negative radius", .value) { file in
          zone(&file) { zone in
            guard case .circle(let centre, _) = zone.shape else { return }
            zone.shape = .circle(centre, radius: -1)
          }
        },
        Change("a state machine without an initial state", .index) { file in
          for place in file.computed.indices {
            if case .machine = file.computed[place].source {
              file.computed[place].source = .machine(initial: 7)
            }
          }
        },
        Change("a state machine whose fact is a number", .unit) { file in
          for place in file.computed.indices {
            if case .machine = file.computed[place].source {
              file.computed[place].schema.type = .quantity(.length)
            }
          }
        },
        Change("a transition to a missing state", .index) { $0.moves[0].target = 7 },
        Change("a transition of a missing machine", .index) { $0.moves[0].machine = "facts/other" },
        Change("too many computed facts", .size) { file in
          file.computed = Array(repeating: file.computed[0], count: ImageVerifier.maxComputed + 1)
        },
        Change("too many transitions", .size) { file in
          file.moves = Array(repeating: file.moves[0], count: ImageVerifier.maxComputed + 1)
        },
        Change("a missing per-demand image", .contradiction) { $0.perDemandImage = nil },
        Change("a different per-demand rule", .contradiction) { file in
          file.perDemandImage?.rules[0].id = RuleID(policy: "facts", rule: "z")
        },
        Change("a different per-demand directive", .contradiction) { file in
          file.perDemandImage?.directives[0].directive.action = .stop
        },
        Change("a per-demand rule with an act", .contradiction) { file in
          file.perDemandImage?.acts = [.emit("x")]
          file.perDemandImage?.rules[0].acts = 0..<1
        },
        Change("no rule is marked as per-demand", .contradiction) { file in
          for rule in file.image.rules.indices { file.image.rules[rule].isPerDemand = false }
        },
      ] + direct

    private static let direct = [
      Change("defaults with a negative linger", .value, 2) { $0.defaults[0].linger = .seconds(-1) },
      Change("defaults with a negative accuracy", .value, 2) { $0.defaults[0].wants.accuracy = -5 },
      Change("a boolean where a number is expected", .unit, 0) { file in
        guard let place = file.image.code.firstIndex(of: .not) else { return }
        file.image.code[place] = .negate
      },
      Change("a batch with a negative bound", .value, 1) { file in
        for place in file.image.directives.indices {
          if case .batch = file.image.directives[place].directive.action {
            file.image.directives[place].directive.action = .batch([.items(-1)])
          }
        }
      },
      Change("a fix with a negative timeout", .value, 2) { file in
        for place in file.image.acts.indices {
          if case .fix(let target, let accuracy, _) = file.image.acts[place] {
            file.image.acts[place] = .fix(target: target, accuracy: accuracy, timeout: .seconds(-1))
          }
        }
      },
      Change("lists that are too long", .size, 2) { file in
        for place in file.image.code.indices {
          if case .oneOf = file.image.code[place] {
            file.image.code[place] = .oneOf(first: 0, count: PolicyLimits.maxTableEntries)
          }
        }
        file.image.constants = Array(repeating: 0, count: PolicyLimits.maxTableEntries)
      },
    ]

    private static func rejection(_ file: ImageFile) -> Problem? {
      do {
        _ = try ImageVerifier.verify(file, vocabulary: Phone.vocabulary)
        return nil
      } catch {
        return error
      }
    }

    @Test("each changed image is rejected with a location, a cause and a remedy", arguments: changes)
    func refused(change: Change) {
      var file = ImageSeed.all[change.seed].file()
      #expect(Self.rejection(file) == nil)
      change.change(&file)
      let rejection = Self.rejection(file)
      #expect(rejection?.code == change.code, "\(String(describing: rejection))")
      #expect(
        rejection?.place.description.isEmpty == false && rejection?.cause.isEmpty == false
          && rejection?.remedy.isEmpty == false)
    }

    // MARK: Other devices

    private static func refusal(_ change: (inout [Manifest]) -> Void) -> Problem? {
      var manifests = Phone.vocabulary.manifests
      change(&manifests)
      do {
        _ = try ImageVerifier.verify(
          ImageSeed.all[0].file(), vocabulary: Vocabulary(manifests: manifests))
        return nil
      } catch {
        return error
      }
    }

    @Test("the rejection of an image for other devices names the first difference")
    func manifests() {
      #expect(Self.refusal { $0.reverse() } == nil)
      let gone = Self.refusal { $0.removeLast() }
      #expect(gone?.code == .manifest)
      #expect(gone?.cause.contains("radio.wifi") == true)
      let new = Self.refusal { $0.append(Manifest(device: "radio.other", kind: .radio, title: "")) }
      #expect(new?.cause.contains("the device “radio.other” was added") == true)
      let changed = Self.refusal { manifests in
        let place = manifests.firstIndex { $0.device == "location.gnss" } ?? 0
        manifests[place].states[0].power = .zero
        manifests[place].figures["other"] = Quantity(1, .length)
      }
      #expect(changed?.cause.contains("the manifest of “location.gnss” has changed") == true)
      #expect(changed?.remedy.contains("`stint compile IMAGE -o IMAGE`") == true)
    }

    @Test("an image is accepted when only the descriptions of facts have changed since its compilation")
    func meanings() {
      let refusal = Self.refusal { manifests in
        for device in manifests.indices {
          for fact in manifests[device].facts.indices {
            manifests[device].facts[fact].meaning += ", reworded"
          }
        }
      }
      #expect(refusal == nil)
    }

    @Test("a declared fact has an effect only if the image reads it")
    func declared() throws {
      let other = Vocabulary(
        manifests: Phone.vocabulary.manifests,
        declared: [FactSchema(path: "a.a", type: .boolean), FactSchema(path: "zz", type: .boolean)])
      let file = ImageSeed.all[0].file()
      let verified = try ImageVerifier.verify(file, vocabulary: other)
      let names = verified.image.image.facts.map { other.facts[$0.number].path }
      #expect(names == file.image.facts.map { file.manifests.facts[$0.number].path })
    }
  }
#endif
