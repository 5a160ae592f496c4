extension DiagnosticPage {
  /// P00: characters, texts, numbers, units.
  static let lexing = [
    DiagnosticPage(
      .strangeCharacter,
      "A character that has no place in a policy outside texts in quotes and comments.",
      wrong: """
        rule dark while screen.on && battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        Policies are written with Latin letters, digits and a few signs. Words join conditions: and, or, not. \
        Editors and web pages also slip in characters that only look right: a long dash for a hyphen, a curly \
        quote for a straight one, a space that is none, a Cyrillic “а” for a Latin “a”. The message names \
        the character and its number, and offers the one that was meant where there is no doubt.
        """,
      right: """
        rule dark while screen.on and battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .unterminatedString,
      "A text begins with a quote and does not end on its line.",
      wrong: """
        rule dark "not in sight
        while not screen.on {
          pause location.gnss
        }
        """,
      why:
        "A text ends on the line on which it begins, so that one lost quote cannot swallow the whole file.",
      right: """
        rule dark "not in sight"
        while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .invalidEncoding,
      "The file holds bytes that are not UTF-8.",
      wrong: """
        # caf‹E9›
        rule dark while not screen.on {
          pause location.gnss
        }
        """,
      why: """
        A policy is UTF-8, on every machine. A file in another encoding (Latin-1, UTF-16) would mean one thing \
        here and another there. Save it again as UTF-8.
        """,
      right: """
        # café
        rule dark while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .badNumber,
      "A number or a time of day that does not exist.",
      wrong: """
        schedule night = 22:00..25:30

        rule quiet while time in night {
          pause location.gnss
        }
        """,
      why: "Hours go from 00 to 24 and minutes from 00 to 59; a window may run past midnight.",
      right: """
        schedule night = 22:00..01:30

        rule quiet while time in night {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .unknownUnit,
      "The word behind a number is no unit.",
      wrong: """
        rule still while motion.activity is still for 4 minuts {
          pause location.gnss
        }
        """,
      why: """
        Each unit has one spelling, so that a quantity reads the same everywhere: s, min, h, d; m, km; %; kB, \
        MB; Hz; mJ, J, Wh; mW, W. “m” is always metres and “min” always minutes.
        """,
      right: """
        rule still while motion.activity is still for 4 min {
          pause location.gnss
        }
        """),
  ]
}
