/// Reports processed Inputs to a committer that asks for it.
extension Engine {
  /// An Input that was processed in the current job.
  struct ProcessedInput {
    let report: InputReport
    /// The batch of the Input; nil if the Input has started no work.
    let batch: EffectGraph.BatchID?
  }

  /// Returns a report on the next Input; nil if the committer asks for none, and for the launch of a view
  /// model.
  func newReport(for batch: InputBatch) -> InputReport? {
    guard reportsInputs, batch.launch == nil else { return nil }
    return InputReport(batch.origin, began: time.now)
  }

  /// Processes an Input within its trace, and collects names for its report.
  func effects(
    of batch: InputBatch,
    at index: Int,
    by runner: any TurnRunner,
    _ report: InputReport?
  ) -> [EffectStep]? {
    gathering(report) {
      InputOrigin.within(batch.origin) { runner.process(batch, at: index) }
    }
  }

  /// Runs a function, and collects names for a report.
  func gathering<Result>(_ report: InputReport?, _ body: () -> Result) -> Result {
    if !reportsInputs { return body() }
    // Set even to nil: the caller may be the work of another Input.
    return InputReport.$current.withValue(report, operation: body)
  }

  /// Notes a processed Input; it is reported at the end of the job, when effects that do not suspend are
  /// done.
  func note(_ report: InputReport?, of batch: EffectGraph.BatchID?) {
    if let report { reported.append(ProcessedInput(report: report, batch: batch)) }
  }

  /// Reports the Inputs that were processed in this job.
  func sendReports() {
    let now = time.now
    for input in reported {
      // A batch retains itself until its last Input is processed.
      let own = currentBatch.id == input.batch ? 1 : 0
      let isSettled = input.batch.map { graph.pending[$0, default: 0] <= own } ?? true
      committer.report(input.report.record(version, isSettled: isSettled, ended: now))
    }
    reported.removeAll(keepingCapacity: true)
  }
}
