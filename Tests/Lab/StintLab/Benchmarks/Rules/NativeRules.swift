import StintModel

/// A baseline: the same rules as a C program with one `if` statement per rule.
struct NativeRules {
  let workload: Workload

  /// The source of the program. It measures its own CPU time and prints the nanoseconds per vector, the
  /// nanoseconds per step of the trace, and the checksum of its decisions.
  var source: String {
    var text = Self.head
    text += "#define FIELDS \(workload.fields.count)\n#define DEVICES \(workload.deviceCount)\n"
    text += table("vectors", workload.vectors) + table("trace", workload.trace)
    text += "__attribute__((noinline)) static void decide(const double *v, unsigned short *w) {\n"
    text += "  for (int i = 0; i < DEVICES; i++) w[i] = 0;\n"
    for rule in workload.rules {
      text += "  if ((\(expression(rule.condition))) && w[\(rule.device)] < \(rule.priority))"
      text += " w[\(rule.device)] = \(rule.priority);\n"
    }
    return text + "}\n" + Self.tail
  }

  private func expression(_ condition: WorkloadRule.Condition) -> String {
    switch condition {
    case .and(let parts): parts.map { "(\(expression($0)))" }.joined(separator: " && ")
    case .or(let parts): parts.map { "(\(expression($0)))" }.joined(separator: " || ")
    case .compare(let field, let comparison, let limit): "v[\(field)] \(comparison.rawValue) \(limit)"
    }
  }

  private func table(_ name: String, _ rows: [[Double]]) -> String {
    let lines = rows.map { "{" + $0.map { "\($0)" }.joined(separator: ",") + "}" }
    return "static const double \(name)[\(rows.count)][\(workload.fields.count)] = {\n"
      + lines.joined(separator: ",\n") + "};\n"
  }

  private static let head = """
    #include <stdio.h>
    #include <stdlib.h>
    #include <time.h>

    """

  private static let tail = """
    static double now(void) {
      struct timespec t;
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
      return t.tv_sec * 1e9 + t.tv_nsec;
    }
    static int order(const void *a, const void *b) {
      double x = *(const double *)a, y = *(const double *)b;
      return x < y ? -1 : x > y;
    }
    static unsigned short w[DEVICES];
    static volatile unsigned sink;
    static double run(const double (*rows)[FIELDS], int count) {
      double times[25];
      for (int pass = 0; pass < 27; pass++) {
        double begin = now();
        for (int i = 0; i < count; i++) { decide(rows[i], w); sink += w[0]; }
        if (pass >= 2) times[pass - 2] = (now() - begin) / count;
      }
      qsort(times, 25, sizeof(double), order);
      return times[12];
    }
    int main(void) {
      int n = sizeof(vectors) / sizeof(vectors[0]);
      unsigned long long h = 0xcbf29ce484222325ull;
      for (int i = 0; i < n; i++) {
        decide(vectors[i], w);
        for (int d = 0; d < DEVICES; d++) {
          h = (h ^ (w[d] & 255)) * 0x100000001b3ull;
          h = (h ^ (w[d] >> 8)) * 0x100000001b3ull;
        }
      }
      double all = run(vectors, n);
      double step = run(trace, sizeof(trace) / sizeof(trace[0]));
      printf("%.3f %.3f %016llx\\n", all, step, h);
      return 0;
    }

    """
}
