import Synchronization

/// What the log says of an Input that was processed: names and numbers, and never a value of Input, Action
/// or State, which may be secret.
package struct InputRecord: Sendable {
  /// The request that brought it; nil where none did.
  package let origin: InputOrigin?
  /// The name of its case.
  package let input: String
  /// The names of the cases of its actions, or mutations, in order; without those that effects have sent.
  package let actions: [String]
  /// The version that was current after it.
  package let version: Int
  /// How long its turn took; of an asynchronous Input, how long its work did.
  package let duration: Duration
  /// Whether nothing was left that its request may wait for.
  package let isSettled: Bool
}

/// Where Inputs come from.
package final class InputOrigin: Sendable {
  /// The id of the request; nil in process.
  package let request: String?
  /// That which the request belongs to.
  package let trace: TraceContext?

  package init(request: String?, trace: TraceContext?) {
    self.request = request
    self.trace = trace
  }

  /// That of Inputs which this code sends, in process; nil where it belongs to no trace.
  static var current: InputOrigin? {
    TraceContext.current.map { InputOrigin(request: nil, trace: $0) }
  }
}

/// Gathers what an Input does while it is processed, where anybody is told.
final class InputReport: Sendable {
  private struct Names {
    var input = ""
    var actions: [String] = []
  }

  /// That of the Input for which this code runs.
  @TaskLocal static var current: InputReport?

  private let origin: InputOrigin?
  private let began: Duration
  private let names = Mutex(Names())

  init(_ origin: InputOrigin?, began: Duration) {
    self.origin = origin
    self.began = began
  }

  func process(_ input: some Any) {
    let name = caseName(of: input)
    names.withLock { $0.input = name }
  }

  func perform(_ action: some Any) {
    let name = caseName(of: action)
    names.withLock { $0.actions.append(name) }
  }

  func record(_ version: Int, isSettled: Bool, ended: Duration) -> InputRecord {
    let names = names.withLock { $0 }
    return InputRecord(
      origin: origin,
      input: names.input,
      actions: names.actions,
      version: version,
      duration: ended - began,
      isSettled: isSettled
    )
  }
}
