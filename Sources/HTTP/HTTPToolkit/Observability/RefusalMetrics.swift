package import FusionHTTPMessages
package import FusionMetrics

/// Counters of requests that were refused because of a limit, by the flag that sets it.
package final class RefusalMetrics: ResponseStep {
  private let byFlag: [String: Counter]
  private let byProblem: [String: Counter]

  /// - Parameters:
  ///   - problems: the problems that report a limit (``ProblemKind/limit``), among others.
  ///   - flags: the flags of limits whose refusal is no problem.
  package init(_ metrics: Metrics, _ problems: ProblemTable, flags: [String]) {
    let limits = problems.kinds.filter { $0.limit != nil }
    let names = Set(limits.compactMap(\.limit) + flags).sorted()
    let counters = names.map { flag in
      metrics.counter(
        "uifusion_refused_total",
        "Requests that were refused because of a limit, by its flag.",
        ["limit": flag]
      )
    }
    let byFlag = Dictionary(zip(names, counters)) { first, _ in first }
    self.byFlag = byFlag
    let pairs = limits.compactMap { kind in
      kind.limit.flatMap { byFlag[$0] }.map { (kind.name, $0) }
    }
    byProblem = Dictionary(pairs) { first, _ in first }
  }

  /// Returns the counter of a flag; one that is not shown, where no limit has that flag.
  package func counter(of flag: String) -> Counter { byFlag[flag] ?? Counter() }

  package func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
    guard response.status >= 400, case .problem(let problem) = response.body else { return }
    byProblem[problem.name]?.add()
  }
}
