import StintRuntime
import Testing

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// The program of a plugin with three devices, each of which counts its samples in a fact.
  /// A device also publishes three keys of a family that has two keys. At a period of
  /// 200 ms, a device publishes a fact that is not in its manifest.
  enum ImuProgram: CaseIterable {
    case python, c

    /// The name of the program file.
    var program: String { self == .python ? "imu.py" : "imu" }

    /// The source files of the program, by their names.
    var sources: [String: String] {
      get throws {
        switch self {
        case .python:
          return [
            "imu.py": Self.textInPython,
            "thermometer.py": try PluginDaemon.file("Plugins/Thermometer/thermometer.py"),
          ]
        case .c:
          let templates = "Sources/StintTools/Plugins/Templates/"
          return [
            "imu.c": Self.textInC,
            "stint_channel.h": try PluginDaemon.file(templates + "c-channel.h.template"),
            "stint_plugin.h": try PluginDaemon.file(templates + "c-protocol.h.template"),
            "stint_ring.h": try PluginDaemon.file(templates + "c-ring.h.template"),
          ]
        }
      }
    }

    func build(_ folder: String) throws {
      guard self == .c else { return }
      let compiler = try Child([
        "/usr/bin/cc", "-Wall", "-Wextra", "-Werror", "-o", folder + "/imu", folder + "/imu.c",
      ])
      try #require(compiler.exitCode() == 0, "the C program cannot be compiled")
    }

    private static let textInPython = """
      #!/usr/bin/env python3
      import os, sys
      sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
      import thermometer as stint

      class Axis(stint.Thermometer):
          channels, facts = [("x", "m")], [("count", ""), ("tag.*", "")]

          def __init__(self, device):
              super().__init__()
              self.device = device

          def work(self):
              self.next = self.now() + self.period
              self.samples.append((self.now(), self.count, 0.5, 0, 0, 0))
              self.count += 1
              self.publish(0, self.count)
              self.publish_key(1, "4711", self.count)
              self.publish_key(1, "a", 1)
              self.withdraw_key(1, "a")
              self.publish_key(1, "b", 1)
              self.publish_key(1, "c", 1)
              if self.period == 200_000_000:
                  self.publish(7, 0)
              if not self.is_holding:
                  self.hand_over(stint.IMMEDIATE)

      stint.Process(Axis("motion.accelerometer"), Axis("motion.gyro"), Axis("motion.magnetometer")).run()
      """

    private static let textInC = #"""
      #include "stint_channel.h"

      struct axis {
        int64_t next, period;
        uint64_t count;
      };
      static struct axis axes[3] = {{INT64_MAX, 0, 0}, {INT64_MAX, 0, 0}, {INT64_MAX, 0, 0}};

      static void opened(const struct stint_entry *entries, int count) {
        (void)entries;
        (void)count;
      }
      static const char *apply(const struct stint_told *told, uint32_t *state, int64_t *period) {
        struct axis *axis = &axes[stint_selected];
        axis->next = told->is_on ? stint_now() : INT64_MAX;
        axis->period = told->period;
        *state = told->is_on;
        *period = told->is_on ? told->period : 0;
        return NULL;
      }
      static void rest(void) {}
      static int64_t due(void) { return axes[stint_selected].next; }
      static void work(void) {
        struct axis *axis = &axes[stint_selected];
        axis->next = stint_now() + axis->period;
        const struct stint_sample sample = {stint_now(), axis->count++, {0.5, 0, 0, 0}};
        stint_deliver(&sample, 1, 0);
        stint_publish(0, (double)axis->count);
        stint_publish_key(1, "4711", (double)axis->count);
        stint_publish_key(1, "a", 1);
        stint_withdraw_key(1, "a");
        stint_publish_key(1, "b", 1);
        stint_publish_key(1, "c", 1);
        if (axis->period == 200000000) stint_publish(7, 0);
      }

      int main(void) {
        static const char *const states[] = {"off", "on", NULL}, *const none[] = {NULL};
        static const char *const channels[] = {"x", "m", NULL}, *const facts[] = {"count", "", "tag.*", "", NULL};
      #define DEVICE(name) \
        {name, states, none, channels, facts, opened, apply, rest, rest, due, work, NULL, NULL, NULL, NULL}
        static const struct stint_device devices[] = {
          DEVICE("motion.accelerometer"), DEVICE("motion.gyro"), DEVICE("motion.magnetometer")};
        const struct stint_device *const all[] = {&devices[0], &devices[1], &devices[2]};
        return stint_run_devices(all, 3);
      }
      """#
  }
#endif
