import StintAuthoring
import StintCompiler
import StintLanguage
import StintModel

extension PolicyCheck {
  /// Returns text for people: diagnostics with their lines, a summary of each file and the combined cost.
  ///
  /// - Parameter wrap: the terminal width for summary lines; excerpts of policies are not wrapped.
  public func text(_ paint: Paint = .plain, wrap: TextWrap? = nil) -> String {
    var parts: [String] = []
    let problems = diagnostics.filter { $0.severity != .note }
    if !problems.isEmpty {
      parts.append(trimmed(DiagnosticRenderer.text(problems, sources: sources, colour: paint.isOn)))
    }
    for (number, summary) in summaries.enumerated() {
      // A policy above the size limit is not parsed, so its counts are 0.
      if sources.contains(where: { $0.file == summary.file && $0.isCut }) { continue }
      var lines = [paint.strong(summary.text)]
      if costs.indices.contains(number) { lines.append(row("cost", text(of: costs[number]), paint)) }
      if summaries.count == 1 { lines += boundRows(paint) + readingRows(paint) }
      if !hasErrors, policies.indices.contains(number) { lines += requirementRows(policies[number], paint) }
      lines += diagnostics(of: summary.file).filter { $0.severity == .note }.map { note($0, paint) }
      lines += missing[number].map { row("missing", $0.text, paint) }
      parts.append(fitted(lines, wrap))
    }
    if hasErrors {
      let counts = paint.bad(counted(count(.error), "error")) + ", " + counted(count(.warning), "warning")
      parts.append(counts + paint.quiet(more))
    } else if let cost, summaries.count > 1 {
      parts.append(
        fitted(
          ["together", row("cost", text(of: cost), paint)] + boundRows(paint) + readingRows(paint), wrap))
    }
    return parts.joined(separator: problems.isEmpty ? "\n" : "\n\n")
  }

  private func fitted(_ lines: [String], _ wrap: TextWrap?) -> String {
    let text = lines.joined(separator: "\n")
    return wrap.map { $0.report(text) } ?? text
  }

  /// A reference to the explanation of the first error; empty without errors.
  private var more: String {
    let first = diagnostics.first { $0.severity == .error }
    return first.map { "; see stint explain \($0.code)" } ?? ""
  }

  private func note(_ diagnostic: Diagnostic, _ paint: Paint) -> String {
    var line = "\(diagnostic.code) "
    if let start = diagnostic.labels.first?.span.start,
      let source = sources.first(where: { $0.file == diagnostic.file })
    {
      line += "line \(source.position(of: start).line): "
    }
    return row("note", line + diagnostic.title + (diagnostic.hint.map { "; \($0)" } ?? ""), paint)
  }

  private func row(_ name: String, _ text: String, _ paint: Paint) -> String {
    "  " + paint.quiet(TextTable.pad(name, to: 9)) + text
  }

  private func boundRows(_ paint: Paint) -> [String] {
    let width = bounds.map(\.device.path.count).max() ?? 0
    return bounds.map { bound in
      let device = TextTable.pad(bound.device.path, to: width + 2)
      switch bound.limit {
      case .atMost(let count): return row("bound", "\(device)\(counted(count, "wake-up")) per h", paint)
      case .unbounded(let reason): return row("bound", "\(device)unbounded, because \(reason)", paint)
      }
    } + (bounds.contains(where: \.isFinite) ? [row("assuming", WakeupBound.assumption, paint)] : [])
  }

  /// Returns a line for each sensor that works for a rule. The line contains the conditions, the rate and the
  /// largest energy per day of the reading.
  private func readingRows(_ paint: Paint) -> [String] {
    readings.map { row("reads", $0.text, paint) }
  }

  /// Returns lines such as `proved   wakeups(gps) <= 60 per h   location.gnss wakes at most 57 times in an
  /// hour, if …`.
  private func requirementRows(_ policy: CheckedPolicy, _ paint: Paint) -> [String] {
    // A requirement is printed on one line even when it spans several lines in its file.
    let texts = policy.requirements.map { requirement in
      requirement.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let width = texts.map(\.count).max() ?? 0
    return zip(policy.requirements, texts).compactMap { requirement, text in
      requirement.verdict.text.map { verdict in
        row(verdict.word, TextTable.pad(text, to: width + 2) + verdict.reason, paint)
      }
    }
  }

  private func text(of cost: ImageCost) -> String {
    let each =
      cost.worstStepPerDemand > 0
      ? "; for each demand \(counted(cost.worstStepPerDemand, "instruction")), "
        + counted(cost.stateSlotsPerDemand, "state slot") : ""
    return "worst step \(counted(cost.worstStep, "instruction")), \(counted(cost.stateSlots, "state slot"))"
      + each
  }

  private func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func trimmed(_ text: String) -> String {
    var text = text
    while text.last == "\n" { text.removeLast() }
    return text
  }
}
