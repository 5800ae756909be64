/// What Inputs belong to, and what is told of them where anybody wants to know.
extension Engine {
  /// An Input that was processed in the job that runs.
  struct ProcessedInput {
    let report: InputReport
    /// Its batch, where that has started anything.
    let batch: EffectGraph.BatchID?
  }

  /// A report on the Input that comes next; nil where nobody wants one, or it is none.
  func newReport(for batch: InputBatch) -> InputReport? {
    guard inputReport != nil, batch.beginning == nil else { return nil }
    return InputReport(batch.origin, began: time.now)
  }

  /// Does what an Input asks for: within the trace that it belongs to, and with its names gathered.
  func effects(
    of batch: InputBatch,
    at index: Int,
    by turns: any TurnTaking,
    _ report: InputReport?
  ) -> [EffectStep]? {
    gathering(report) {
      TraceContext.within(batch.origin?.trace) { turns.process(batch, at: index) }
    }
  }

  /// Runs what an Input is processed by, and has its names gathered.
  func gathering<Result>(_ report: InputReport?, _ body: () -> Result) -> Result {
    if inputReport == nil { return body() }
    // Without a report, too: this may be called from the work of another Input.
    return InputReport.$current.withValue(report, operation: body)
  }

  /// An Input is processed: told of at the job's end, by when effects that need not wait have done what they
  /// do.
  func note(_ report: InputReport?, of batch: EffectGraph.BatchID?) {
    if let report { reported.append(ProcessedInput(report: report, batch: batch)) }
  }

  /// Tells of the Inputs that were processed in this job.
  func tellReports() {
    let now = time.now
    for input in reported {
      // A batch counts for itself until its last Input is processed.
      let own = current.id == input.batch ? 1 : 0
      let isSettled = input.batch.map { graph.owed[$0, default: 0] <= own } ?? true
      inputReport?(input.report.record(version, isSettled: isSettled, ended: now))
    }
    reported.removeAll(keepingCapacity: true)
  }
}
