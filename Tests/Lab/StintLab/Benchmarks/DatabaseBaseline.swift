import StintRuntime

/// The database baseline: the same records in an SQLite table.
///
/// A separate C program writes and reads the table, if clang and the SQLite library are installed. Stint
/// itself needs neither of them.
struct DatabaseBaseline: Hashable, Sendable {
  /// The inserted records per second. Each batch is one transaction, which SQLite synchronizes to disk.
  var durable: Double
  /// The number of records that are read per second.
  var read: Double

  /// Runs the program; nil when clang or the library is missing, or when the program fails.
  static func measure(at path: String, batches: Int, batch: Int, payload: Int) -> DatabaseBaseline? {
    guard let work = ChildProcess.temporaryFolder() else { return nil }
    defer {
      ChildProcess.remove(["bench.c", "bench", "log", "out"], folder: work)
      ChildProcess.remove(["", "-wal", "-shm", "-journal"].map { path + $0 })
    }
    do { try FileText.write(Array(source.utf8), to: "\(work)/bench.c") } catch { return nil }
    let compile = ["clang", "-O2", "-o", "\(work)/bench", "\(work)/bench.c", "-ldl"]
    let run = ["\(work)/bench", path, "\(batches)", "\(batch)", "\(payload)"]
    guard ChildProcess.run(compile, output: "\(work)/log") == 0,
      ChildProcess.run(run, output: "\(work)/out") == 0
    else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileText.read("\(work)/out") } catch { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let durable = Double(words[0]), let read = Double(words[1]) else { return nil }
    return DatabaseBaseline(durable: durable, read: read)
  }

  /// The C program. It loads SQLite with `dlopen`, so that no header is needed. It prints two medians of nine
  /// passes: records inserted per second and records read per second.
  private static let source = """
    #include <dlfcn.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <time.h>
    #include <unistd.h>
    typedef long long i64;
    static int (*open_)(const char *, void **), (*close_)(void *), (*step)(void *), (*reset)(void *), (*end)(void *);
    static int (*exec)(void *, const char *, void *, void *, void *);
    static int (*prepare)(void *, const char *, int, void **, void *);
    static int (*bind_int)(void *, int, i64), (*bind_blob)(void *, int, const void *, int, void *);
    static i64 (*column_int)(void *, int);
    static const void *(*column_blob)(void *, int);
    static double now(void) {
      struct timespec t;
      clock_gettime(CLOCK_MONOTONIC, &t);
      return t.tv_sec + t.tv_nsec / 1e9;
    }
    static int order(const void *a, const void *b) {
      double x = *(const double *)a, y = *(const double *)b;
      return x < y ? -1 : x > y;
    }
    static volatile i64 sink;
    int main(int n, char **words) {
      void *lib = dlopen("libsqlite3.so.0", RTLD_NOW);
      if (!lib || n != 5) return 1;
      open_ = dlsym(lib, "sqlite3_open"); close_ = dlsym(lib, "sqlite3_close"); exec = dlsym(lib, "sqlite3_exec");
      prepare = dlsym(lib, "sqlite3_prepare_v2"); step = dlsym(lib, "sqlite3_step");
      reset = dlsym(lib, "sqlite3_reset"); end = dlsym(lib, "sqlite3_finalize");
      bind_int = dlsym(lib, "sqlite3_bind_int64"); bind_blob = dlsym(lib, "sqlite3_bind_blob");
      column_int = dlsym(lib, "sqlite3_column_int64"); column_blob = dlsym(lib, "sqlite3_column_blob");
      if (!open_ || !exec || !prepare || !step || !bind_blob || !column_blob) return 1;
      int batches = atoi(words[2]), batch = atoi(words[3]), size = atoi(words[4]);
      char *payload = malloc(size), name[4200];
      memset(payload, 0x5a, size);
      double writes[9], reads[9];
      for (int pass = -1; pass < 9; pass++) {
        void *db, *insert, *all;
        const char *ends[] = {"", "-wal", "-shm", "-journal"};
        for (int i = 0; i < 4; i++) { snprintf(name, sizeof name, "%s%s", words[1], ends[i]); unlink(name); }
        if (open_(words[1], &db)) return 2;
        exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE j(kind INT, at INT, body BLOB)",
             0, 0, 0);
        if (prepare(db, "INSERT INTO j VALUES(?,?,?)", -1, &insert, 0)) return 3;
        double began = now();
        for (int i = 0; i < batches; i++) {
          if (exec(db, "BEGIN", 0, 0, 0)) return 4;
          for (int k = 0; k < batch; k++) {
            bind_int(insert, 1, 3); bind_int(insert, 2, (i64)i * batch + k);
            bind_blob(insert, 3, payload, size, 0);
            if (step(insert) != 101) return 5;
            reset(insert);
          }
          if (exec(db, "COMMIT", 0, 0, 0)) return 6;
        }
        double wrote = now();
        if (prepare(db, "SELECT kind, at, body FROM j", -1, &all, 0)) return 7;
        i64 count = 0;
        while (step(all) == 100) {
          sink += column_int(all, 0) + column_int(all, 1) + *(const char *)column_blob(all, 2);
          count++;
        }
        double read = now();
        end(all); end(insert); close_(db);
        if (count != (i64)batches * batch) return 8;
        if (pass >= 0) { writes[pass] = count / (wrote - began); reads[pass] = count / (read - wrote); }
      }
      qsort(writes, 9, sizeof(double), order); qsort(reads, 9, sizeof(double), order);
      printf("%.0f %.0f\\n", writes[4], reads[4]);
      return 0;
    }

    """
}
