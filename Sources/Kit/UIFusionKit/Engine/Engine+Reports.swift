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

/// Names the turns that take long: they delay their session, and others that wait for a processor.
extension Engine {
  /// Reports a turn that has taken at least the committer's limit.
  ///
  /// - Parameters:
  ///   - began: the time at which it began; nil if no turn is measured.
  ///   - name: returns the case name of its Input or action.
  func reportIfSlow(since began: Duration?, _ name: () -> String) {
    guard let began, let limit = slowTurn else { return }
    let duration = time.now - began
    guard duration >= limit else { return }
    hasReportedSlowTurn = true
    committer.report(SlowTurn(name: name(), duration: duration))
  }

  /// The time at which a turn begins; nil if no turn is measured.
  var turnBegin: Duration? { slowTurn == nil ? nil : time.now }

  /// The name of the Input that is at work; nil if there is none, or more than one.
  var nameAtWork: String? {
    guard inputWork.count == 1, let work = inputWork.values.first else { return nil }
    return work.batch.holdsNoInputs ? "alarm" : work.batch.name(at: work.index)
  }
}
