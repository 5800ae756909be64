import Synchronization

/// The log record of a processed Input: names and numbers, but no value of an Input, Action or State, since
/// it may be secret.
package struct InputRecord: Sendable {
  /// The request that brought the Input; nil if there is none.
  package let origin: InputOrigin?
  /// The case name of the Input.
  package let input: String
  /// The case names of its actions or mutations, in order, without those that effects sent.
  package let actions: [String]
  /// The version that was current after the Input.
  package let version: Int
  /// The duration of the turn, or of the whole work of an asynchronous Input.
  package let duration: Duration
  /// Whether the Input left no unsettled work.
  package let isSettled: Bool
}

/// The origin of Inputs: a request, or another session's message.
package final class InputOrigin: Sendable {
  /// The id of the request; nil in process.
  package let request: String?
  /// The trace that the request belongs to.
  package let trace: TraceContext?
  /// The sender's identity; nil for an anonymous sender.
  package let sender: Identity?
  /// The id of the session that sent the Input; nil if no session did.
  package let session: String?
  /// Whether the sender may not use the sessions of the identity that the session belongs to.
  ///
  /// All that the Inputs cause, at once or later, then has no identity's rights.
  package let isForeign: Bool
  /// Whether a view model's rule restricts what the sender may send.
  package let isUnderRules: Bool

  package init(
    request: String?,
    trace: TraceContext?,
    sender: Identity? = nil,
    session: String? = nil,
    isForeign: Bool = false,
    isUnderRules: Bool = false
  ) {
    self.request = request
    self.trace = trace
    self.sender = sender
    self.session = session
    self.isForeign = isForeign
    self.isUnderRules = isUnderRules
  }

  /// The origin of Inputs that the running code sends in process; nil outside of a trace.
  static var current: InputOrigin? {
    TraceContext.current.map { InputOrigin(request: nil, trace: $0) }
  }

  /// Runs a function with the sender of an origin, or with no sender, in place of the caller's.
  static func within<Result>(_ origin: InputOrigin?, _ body: () -> Result) -> Result {
    TraceContext.within(origin?.trace) {
      let (identity, session) = (origin?.sender, origin?.session)
      if identity == nil, InputSender.identity == nil, session == nil, InputSender.session == nil,
        InputSender.refusal == nil
      {
        return body()
      }
      return InputSender.$identity.withValue(identity) {
        InputSender.$session.withValue(session) {
          InputSender.$refusal.withValue(nil, operation: body)
        }
      }
    }
  }
}

/// Collects the names of one Input while it is processed, for its ``InputRecord``.
final class InputReport: Sendable {
  private struct Names {
    var input = ""
    var actions: [String] = []
  }

  /// The report of the Input for which this code runs.
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

/// Returns the name of an enum's case without its values, or the name of any other value's type.
///
/// A type with a custom mirror is named by its type: its labels may contain a value.
package func caseName(of value: some Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum, !(value is any CustomReflectable) else {
    return "\(type(of: value))"
  }
  return mirror.children.first?.label ?? "\(value)"
}
