import Testing

#if os(Linux) && canImport(Glibc)
  /// The program of a plugin whose samples have a number and bytes: the number of the sample as one byte, and
  /// as many zeros as this number modulo 4.
  enum ByteProgram: CaseIterable {
    case python, c

    static let manifest = """
      {"stint_manifest": 2, "device": "air.receiver", "kind": "sensor", "title": "receiver",
       "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
       "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
       "verbs": ["start", "stop"],
       "attributes": [{"name": "rate", "unit": "Hz", "range": ["1 per h", "50 Hz"], "default": "50 Hz"}],
       "channels": [{"name": "number", "unit": "1"}, {"name": "payload", "bytes": 4}]}
      """

    /// The files of the plugin and of a site with it, by path.
    var files: [String: String] {
      get throws {
        let program = self == .python ? "receiver.py" : "receiver"
        var files = [
          "site.json": #"{"stint_site": 1, "plugins": [{"process": "probe/plugin.json"}]}"#,
          "rules.stint": "policy \"receiver\" version 1\n",
          "probe/manifest.json": Self.manifest,
          "probe/plugin.json": """
          {"stint_plugin": 1, "name": "receiver", "meaning": "a receiver", "program": "\(program)",
           "manifest": "manifest.json", "files": {}}
          """,
        ]
        switch self {
        case .python:
          files["probe/receiver.py"] = Self.textInPython
          files["probe/thermometer.py"] = try PluginDaemon.file("Plugins/Thermometer/thermometer.py")
        case .c:
          let templates = "Sources/StintTools/Plugins/Templates/"
          files["probe/receiver.c"] = Self.textInC
          for (name, file) in [("channel", "c-channel"), ("plugin", "c-protocol"), ("ring", "c-ring")] {
            files["probe/stint_\(name).h"] = try PluginDaemon.file(templates + file + ".h.template")
          }
        }
        return files
      }
    }

    func build(_ folder: String) throws {
      guard self == .c else { return }
      let compiler = try Child([
        "/usr/bin/cc", "-Wall", "-Wextra", "-Werror", "-o", folder + "/receiver", folder + "/receiver.c",
      ])
      try #require(compiler.exitCode() == 0, "the C program cannot be compiled")
    }

    private static let textInPython = """
      #!/usr/bin/env python3
      import os, sys
      sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
      import thermometer as stint

      class Receiver(stint.Plugin):
          device, states = "air.receiver", ["off", "on"]
          channels = [("number", ""), ("payload", "")]
          next, count, period = None, 0, 0

          def apply(self, setting):
              self.next = self.now() if setting.is_on else None
              self.period = max(setting.period or 0, 20_000_000)
              return (1, self.period) if setting.is_on else (0, 0)

          def due(self):
              return self.next

          def work(self):
              self.next = self.now() + self.period
              payload = bytes([self.count % 256]) + bytes(self.count % 4)
              self.deliver([(self.now(), self.count, self.count, 0, 0, 0, payload)], stint.IMMEDIATE)
              self.count += 1

      Receiver().run()
      """

    private static let textInC = #"""
      #include "stint_channel.h"

      static int64_t next = INT64_MAX, span;
      static uint64_t count;

      static void opened(const struct stint_entry *entries, int number) {
        (void)entries;
        (void)number;
      }
      static const char *apply(const struct stint_told *told, uint32_t *state, int64_t *period) {
        next = told->is_on ? stint_now() : INT64_MAX;
        *state = told->is_on;
        span = told->period > 20000000 ? told->period : 20000000;
        *period = told->is_on ? span : 0;
        return NULL;
      }
      static void rest(void) {}
      static int64_t due(void) { return next; }
      static void work(void) {
        next = stint_now() + span;
        const struct stint_sample sample = {stint_now(), count, {(double)count, 0, 0, 0}};
        struct stint_bytes payload = {.count = (uint8_t)(1 + count % 4), .content = {(uint8_t)count}};
        stint_deliver_bytes(&sample, NULL, 0, &payload, 1, 1, STINT_IMMEDIATE);
        count++;
      }

      int main(void) {
        static const char *const states[] = {"off", "on", NULL}, *const none[] = {NULL};
        static const char *const channels[] = {"number", "", "payload", "", NULL};
        static const struct stint_device device = {
          "air.receiver", states, none, channels, none, opened, apply, rest, rest, due, work, NULL, NULL, NULL, NULL};
        return stint_run(&device);
      }
      """#
  }
#endif
