import StintRuntime

/// A baseline outside Swift: a C program that sends messages within its process through libzmq. It is
/// compiled on demand, if the headers of libzmq are installed.
struct MessageQueueProgram {
  /// The figures of the program for one load.
  struct Answer: Hashable, Sendable {
    var subscribers: Int
    var size: Int
    /// True when each subscriber has its own thread; false when one thread runs all subscribers.
    var isThreaded: Bool
    /// The number of samples per second that reach one subscriber. A second is wall-clock time when
    /// `isThreaded` is true, and CPU time when it is false.
    var rate: Double
    /// CPU nanoseconds for each sample that reached a subscriber.
    var nanosecondsOfWork: Double
  }

  /// Runs all loads; nil without a C compiler or libzmq.
  static func run(batches: Int) -> [Answer]? {
    guard let folder = ChildProcess.temporaryFolder() else { return nil }
    defer { ChildProcess.remove(["bus.c", "bus", "log", "out"], folder: folder) }
    do { try FileText.write(Array(source.utf8), to: "\(folder)/bus.c") } catch { return nil }
    let compile = ["cc", "-O2", "-o", "\(folder)/bus", "\(folder)/bus.c", "-lzmq", "-lpthread"]
    guard ChildProcess.run(compile, output: "\(folder)/log") == 0,
      ChildProcess.run(["\(folder)/bus", "\(batches)"], output: "\(folder)/out") == 0
    else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileText.read("\(folder)/out") } catch { return nil }
    return answers(in: String(decoding: bytes, as: UTF8.self))
  }

  /// Parses one line for each load: subscribers, size, threaded, and wall-clock and CPU nanoseconds per
  /// delivered batch.
  static func answers(in text: String) -> [Answer]? {
    var answers: [Answer] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 5, let subscribers = Int(words[0]), let size = Int(words[1]),
        let clock = Double(words[3]), let work = Double(words[4]), clock > 0, work > 0
      else { return nil }
      let isThreaded = words[2] == "1"
      let perBatch = (isThreaded ? clock : work) * Double(subscribers)
      answers.append(
        Answer(
          subscribers: subscribers, size: size, isThreaded: isThreaded, rate: Double(size) * 1e9 / perBatch,
          nanosecondsOfWork: work / Double(size)))
    }
    return answers.isEmpty ? nil : answers
  }

  private static let source = """
    #include <pthread.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <time.h>
    #include <zmq.h>

    enum { BURST = 64, SAMPLE = 48, PASSES = 5 };
    static void *context, *publisher, *readers[4];
    static unsigned char shared[64 * SAMPLE];
    static int subscribers, size, batches;
    static uint64_t sums[4];

    static double now(clockid_t clock) {
      struct timespec t;
      clock_gettime(clock, &t);
      return t.tv_sec * 1e9 + t.tv_nsec;
    }
    static void keep(void *data, void *hint) { (void)data; (void)hint; }
    static void send_one(void) {
      zmq_msg_t message;
      if (size > 1) zmq_msg_init_data(&message, shared, size * SAMPLE, keep, NULL);
      else {
        zmq_msg_init_size(&message, SAMPLE);
        memcpy(zmq_msg_data(&message), shared, SAMPLE);
      }
      if (zmq_msg_send(&message, publisher, 0) < 0) exit(2);
    }
    static void receive_one(int reader) {
      zmq_msg_t message;
      zmq_msg_init(&message);
      if (zmq_msg_recv(&message, readers[reader], 0) < 0) exit(3);
      const uint64_t *words = zmq_msg_data(&message);
      uint64_t sum = 0;
      for (int i = 0; i < size; i++) sum += words[i * SAMPLE / 8 + 1];
      sums[reader] += sum;
      zmq_msg_close(&message);
    }
    static void *read_all(void *reader) {
      for (int i = 0; i < batches; i++) receive_one((int)(intptr_t)reader);
      return NULL;
    }
    static void pass(int threaded, double *clock, double *work) {
      char name[64];
      static int number;
      snprintf(name, sizeof name, "inproc://bus%d", number++);
      int one = 1, zero = 0;
      publisher = zmq_socket(context, ZMQ_XPUB);
      zmq_setsockopt(publisher, ZMQ_XPUB_NODROP, &one, sizeof one);
      zmq_setsockopt(publisher, ZMQ_LINGER, &zero, sizeof zero);
      zmq_bind(publisher, name);
      for (int i = 0; i < subscribers; i++) {
        char word[8];
        readers[i] = zmq_socket(context, ZMQ_SUB);
        zmq_connect(readers[i], name);
        zmq_setsockopt(readers[i], ZMQ_SUBSCRIBE, "", 0);
        if (i == 0) zmq_recv(publisher, word, sizeof word, 0);
      }
      // The publisher is notified of the first subscription only, so wait a short time for the further ones.
      struct timespec moment = {0, 20000000};
      nanosleep(&moment, NULL);
      char rest[8];
      while (zmq_recv(publisher, rest, sizeof rest, ZMQ_DONTWAIT) >= 0) {}
      memset(sums, 0, sizeof sums);
      double began = now(CLOCK_MONOTONIC), worked = now(CLOCK_PROCESS_CPUTIME_ID);
      if (threaded) {
        pthread_t threads[4];
        for (int i = 0; i < subscribers; i++) pthread_create(&threads[i], NULL, read_all, (void *)(intptr_t)i);
        for (int i = 0; i < batches; i++) send_one();
        for (int i = 0; i < subscribers; i++) pthread_join(threads[i], NULL);
      } else {
        for (int done = 0; done < batches; done += BURST) {
          for (int i = 0; i < BURST; i++) send_one();
          for (int r = 0; r < subscribers; r++) for (int i = 0; i < BURST; i++) receive_one(r);
        }
      }
      double deliveries = (double)batches * subscribers;
      *clock = (now(CLOCK_MONOTONIC) - began) / deliveries;
      *work = (now(CLOCK_PROCESS_CPUTIME_ID) - worked) / deliveries;
      for (int i = 0; i < subscribers; i++) {
        if (sums[i] != sums[0] || sums[i] == 0) exit(4);
        zmq_close(readers[i]);
      }
      zmq_close(publisher);
    }
    static int order(const void *a, const void *b) {
      double x = *(const double *)a, y = *(const double *)b;
      return x < y ? -1 : x > y;
    }
    int main(int count, char **words) {
      batches = (count > 1 ? atoi(words[1]) : 64000) / BURST * BURST;
      context = zmq_ctx_new();
      for (int i = 0; i < 64; i++) ((uint64_t *)shared)[i * SAMPLE / 8 + 1] = i + 1;
      static const int counts[] = {1, 4}, sizes[] = {64, 1};
      for (int s = 0; s < 2; s++) for (int c = 0; c < 2; c++) for (int threaded = 0; threaded < 2; threaded++) {
        double clocks[PASSES], works[PASSES];
        subscribers = counts[c];
        size = sizes[s];
        for (int i = 0; i < PASSES; i++) pass(threaded, &clocks[i], &works[i]);
        qsort(clocks, PASSES, sizeof(double), order);
        qsort(works, PASSES, sizeof(double), order);
        printf("%d %d %d %.2f %.2f\\n", subscribers, size, threaded, clocks[PASSES / 2], works[PASSES / 2]);
      }
      return 0;
    }

    """
}
