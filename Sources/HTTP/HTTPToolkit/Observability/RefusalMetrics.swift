import FusionHTTPMessages
import FusionMetrics

/// Counts what is refused because of a limit, by the flag that sets it.
final class RefusalMetrics: AnswerStep {
  /// By the name of the problem that says so.
  private let refusals: [String: Counter]
  /// Streams, whose refusal is no problem: see ``SessionAPI/follow(_:_:)``.
  let streams: Counter
  /// What needs more memory than there is, streams included.
  let memory: Counter

  init(_ metrics: Metrics) {
    func counter(_ flag: String) -> Counter {
      metrics.counter(
        "uifusion_refused_total",
        "Requests that were refused because of a limit, by its flag.",
        ["limit": flag]
      )
    }
    memory = counter("max-memory")
    refusals = [
      "too-many-connections": counter("max-connections"),
      "too-many-sessions": counter("max-sessions"),
      "queue-full": counter("max-queued-inputs"),
      "content-too-large": counter("max-body"),
      "batch-too-long": counter("max-batch"),
      "state-too-large": counter("max-state"),
      "memory-full": memory,
      "too-many-client-sessions": counter("max-sessions-per-client"),
      "too-many-client-streams": counter("max-streams-per-client"),
      "too-many-client-inputs": counter("inputs-per-second"),
    ]
    streams = counter("max-streams")
  }

  func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
    guard response.status >= 400, case .problem(let problem) = response.body else { return }
    refusals[problem.name]?.add()
  }
}
