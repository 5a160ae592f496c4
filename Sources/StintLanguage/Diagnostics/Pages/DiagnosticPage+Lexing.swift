extension DiagnosticPage {
  /// P00: characters, strings, numbers and units.
  static let lexing = [
    DiagnosticPage(
      .strangeCharacter,
      "A character that is allowed only in quoted strings and comments.",
      wrong: """
        rule dark while screen.on && battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        Policies use Latin letters, digits and a few signs. Words join conditions: and, or, not. Editors \
        and web pages also insert characters that only look right: a long dash for a hyphen, a curly quote \
        for a straight one, a no-break space, a Cyrillic “а” for a Latin “a”. The message names the \
        character and its code, and suggests the intended character when it is certain.
        """,
      right: """
        rule dark while screen.on and battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .unterminatedString,
      "A string begins with a quote and does not end on its line.",
      wrong: """
        rule dark "not in sight
        while not screen.on {
          pause location.gnss
        }
        """,
      why: """
        A string ends on the line on which it begins, so that one missing quote does not affect the rest of \
        the file.
        """,
      right: """
        rule dark "not in sight"
        while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .invalidEncoding,
      "The file contains bytes that are not UTF-8.",
      wrong: """
        # caf‹E9›
        rule dark while not screen.on {
          pause location.gnss
        }
        """,
      why: """
        A policy is UTF-8, on every machine. A file in another encoding (Latin-1, UTF-16) would have \
        different meanings on different machines. Save it again as UTF-8.
        """,
      right: """
        # café
        rule dark while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .badNumber,
      "A number or a time of day is invalid.",
      wrong: """
        schedule night = 22:00..25:30

        rule quiet while time in night {
          pause location.gnss
        }
        """,
      why: "Hours are 00 to 24 and minutes 00 to 59; a window may continue past midnight.",
      right: """
        schedule night = 22:00..01:30

        rule quiet while time in night {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .unknownUnit,
      "The word after a number is not a unit.",
      wrong: """
        rule still while motion.activity is still for 4 minuts {
          pause location.gnss
        }
        """,
      why: """
        Each unit has one spelling, so that a quantity has the same meaning everywhere. Examples are s, min, \
        h, d; m, km; %; kB, MB; Hz; mJ, J, Wh; mW, W. “m” is always metres and “min” always minutes.
        """,
      right: """
        rule still while motion.activity is still for 4 min {
          pause location.gnss
        }
        """),
  ]
}
