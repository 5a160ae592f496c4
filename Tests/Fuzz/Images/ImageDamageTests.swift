import StintUnits

#if !FUZZING && !TURNING
  import StintMachine
  import StintModel
  import StintTestSupport
  import Testing

  @Suite("Damaged images")
  struct ImageDamageTests {
    /// Returns the error for these bytes; nil when they are accepted.
    private static func rejection(_ bytes: [UInt8]) -> Problem? {
      do {
        _ = try ImageVerifier.verify(try ImageFile(bytes), vocabulary: Phone.vocabulary)
        return nil
      } catch {
        return error
      }
    }

    private static let sound = ImageSeed.all[1].file().bytes

    @Test("an image that is truncated at any length is rejected with a location and a remedy")
    func truncations() {
      for count in 0..<Self.sound.count {
        let rejection = Self.rejection(Array(Self.sound[..<count]))
        #expect(rejection?.code == (count < 8 ? .unexpectedContent : .length), "\(count) bytes")
        #expect(rejection?.place.description.isEmpty == false && rejection?.remedy.isEmpty == false)
      }
    }

    /// The distance between two tested bytes. One bit is flipped in each, and each tested byte uses the next
    /// bit position (modulo 8).
    private static let spacing = Tier.current >= .gate ? 37 : 211

    @Test("an image with one flipped bit is rejected and never runs")
    func flips() {
      for place in Self.sound.indices {
        var bytes = Self.sound
        // This test flips one bit of each byte; `.ci/long images` flips all bits of all images.
        bytes[place] ^= 1 << UInt8(place % 8)
        #expect(Self.rejection(bytes) != nil, "byte \(place)")
      }
    }

    @Test(
      "an image with one flipped bit and correct checksums is rejected or runs safely",
      arguments: ImageSeed.all)
    func hostileFlips(seed: ImageSeed) throws {
      let part = ImageMending.rebuildable(of: seed.file())
      for place in stride(from: seed.name.utf8.count, to: part.count, by: Self.spacing) {
        var bytes = part
        bytes[place] ^= 1 << UInt8(place / Self.spacing % 8)
        try ImageStage.run(bytes)
      }
    }

    struct Change: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let code: Problem.Code
      let place: String
      let step: String
      let change: @Sendable (inout [UInt8]) -> Void

      init(
        _ name: String, _ code: Problem.Code, at place: String, then step: String,
        _ change: @escaping @Sendable (inout [UInt8]) -> Void
      ) {
        testDescription = name
        self.code = code
        self.place = place
        self.step = step
        self.change = change
      }
    }

    /// Changes a header and corrects its checksum.
    private static func header(_ bytes: inout [UInt8], _ change: (inout ImageHeader) -> Void) {
      do {
        var header = try ImageHeader(bytes)
        change(&header)
        bytes.replaceSubrange(..<ImageHeader.size, with: header.bytes)
      } catch {
        bytes = []
      }
    }

    private static let changes = [
      Change("an empty file", .unexpectedContent, at: "byte 0", then: "name a file") { $0 = [] },
      Change("a policy", .unexpectedContent, at: "byte 0", then: "name a file") {
        $0 = Array("policy \"p\"".utf8)
      },
      Change("converted line ends", .unexpectedContent, at: "byte 0", then: "name a file") {
        $0.remove(at: 5)
      },
      Change("the other byte order", .byteOrder, at: "byte 8", then: "compile") { $0.swapAt(8, 9) },
      Change("a newer stable format", .version, at: "byte 10", then: "use the Stint that wrote it") { bytes in
        header(&bytes) { $0.stableVersion += 1 }
      },
      Change("newer instructions", .version, at: "byte 12", then: "`stint compile IMAGE -o IMAGE`") { bytes in
        header(&bytes) { $0.rebuildableVersion += 1 }
      },
      Change("older instructions", .version, at: "byte 12", then: "`stint compile IMAGE -o IMAGE`") { bytes in
        header(&bytes) { $0.rebuildableVersion -= 1 }
      },
      Change("another language in the header", .contradiction, at: "byte 36", then: "compile") { bytes in
        header(&bytes) { $0.language = 2 }
      },
      Change("a length beyond the end", .length, at: "the header", then: "copy the image again") { bytes in
        header(&bytes) { $0.rebuildableLength = .max >> 32 }
      },
      Change("bytes after the end", .length, at: "the header", then: "copy the image again") { $0.append(0) },
      Change("damaged texts", .checksum, at: "the stable part", then: "copy the image again") { $0[60] ^= 1 },
      Change("damaged rules", .checksum, at: "the rebuildable part", then: "`stint compile") {
        $0[$0.count - 1] ^= 1
      },
      Change("a damaged header", .checksum, at: "byte 32", then: "copy the image again") { $0[17] ^= 1 },
      Change("an image above the size limit", .size, at: "the file", then: "split") {
        $0 += Array(repeating: 0, count: ImageFile.maxBytes)
      },
    ]

    @Test("each change of an image is reported with its code, its location and a remedy", arguments: changes)
    func kinds(change: Change) {
      var bytes = Self.sound
      change.change(&bytes)
      let rejection = Self.rejection(bytes)
      #expect(rejection?.code == change.code)
      #expect(rejection?.place.description.contains(change.place) == true, "\(String(describing: rejection))")
      #expect(rejection?.remedy.contains(change.step) == true, "\(String(describing: rejection))")
    }

    @Test("the texts are readable even if the rules are damaged and have another version")
    func textsOutlive() throws {
      var bytes = Self.sound
      bytes[bytes.count - 1] ^= 1
      Self.header(&bytes) { $0.rebuildableVersion = 9 }
      #expect(try ImageFile.texts(bytes).sources.map(\.text) == [ImageSeed.all[1].text])
    }

    @Test("a newer language version is rejected")
    func language() {
      var file = ImageSeed.all[1].file()
      file.texts.language = ImageTexts.newestLanguage + 1
      #expect(Self.rejection(file.bytes)?.code == .version)
    }

    @Test("a count larger than the remaining bytes is rejected without allocating memory")
    func claims() {
      // Language version 1, followed by the claim of 2³² − 1 sources.
      let stable: [UInt8] = [1, 0, 0, 0, 255, 255, 255, 255]
      let bytes = ImageHeader(stable: stable, rebuildable: [], language: 1).bytes + stable
      #expect(Self.rejection(bytes)?.code == .length)
    }
  }
#endif
