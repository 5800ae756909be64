/// Inputs that are submitted to an engine together, and processed back to back.
package final class InputBatch: Sendable {
  private let inputs: InputList

  /// The number of Inputs.
  package let count: Int

  /// The index of the first Input to process; earlier ones were processed before a restart.
  package let first: Int

  /// Whether the batch is the launch of a new view model.
  let isStart: Bool

  /// Whether the batch has no Inputs, and stands for the alarm that is due first, a followed session's State or
  /// an action of another run.
  let holdsNoInputs: Bool

  /// The owner, which submitted the batch.
  package let owner: (any BatchOwner)?

  /// The origin of the Inputs; nil if nobody uses it.
  let origin: InputOrigin?

  /// Whether the sender is foreign, or the launch follows work that foreign Inputs caused.
  let isForeign: Bool

  /// Whether State may list visitors once the batch is processed; nil if it leaves that as it was.
  let leavesVisitors: Bool?

  /// The progress of a batch, as its owner is notified of it.
  package enum Progress: Sendable, Equatable {
    /// The last Input ran to its first suspension or its end. Without pending work, the batch is
    /// settled.
    case processed(isSettled: Bool)
    /// All work that the Inputs started has ended. Follows `processed(isSettled: false)`.
    case settled
    /// The engine was closed before the batch settled. Follows `processed(isSettled: false)`.
    case abandoned
    /// The owner's condition was not met; nothing was processed.
    case refused
    /// An Input's turn was rolled back, and the Inputs after it were dropped. In a batch of several, `at`
    /// is the index of the Input.
    case rejected(TurnRejection, at: Int?)
    /// The engine was closed before the last Input was processed.
    case closed
  }

  /// The kind of code that the batch runs.
  let code: RunningCode

  /// Creates a batch; an engine whose view model has another type of Input ignores it.
  package init(_ inputs: InputList, from first: Int = 0, owner: (any BatchOwner)? = nil) {
    self.inputs = inputs
    self.count = inputs.count
    self.first = min(first, count)
    self.owner = owner
    origin = owner.map(\.origin) ?? .current
    isForeign = origin?.isForeign == true
    leavesVisitors = owner?.leavesVisitors
    code = owner?.isMessage == true ? .message : .input
    isStart = false
    holdsNoInputs = false
  }

  /// Creates a batch of an array of Inputs.
  package convenience init<Input: Sendable>(
    _ inputs: [Input],
    from first: Int = 0,
    owner: (any BatchOwner)? = nil
  ) {
    self.init(InputList(inputs), from: first, owner: owner)
  }

  /// Creates a batch of Inputs that a sender, or a session, has sent, for tests.
  package convenience init<Input: Sendable>(
    _ inputs: [Input],
    from sender: Identity?,
    of session: String? = nil
  ) {
    let isKnown = sender != nil || session != nil
    self.init(InputList(inputs), owner: isKnown ? TestSender(sender, session) : nil)
  }

  /// Creates a batch that launches a view model and holds no Input.
  init(_ launch: Launch) {
    inputs = InputList([launch])
    count = 1
    first = 0
    owner = nil
    origin = nil
    holdsNoInputs = false
    switch launch {
    case .started: (isStart, isForeign, leavesVisitors) = (true, false, nil)
    case .restored(let interrupted):
      (isStart, isForeign) = (false, interrupted.isForeign)
      leavesVisitors = interrupted.hasVisitors
    }
    code = isStart ? .started : .restored
  }

  /// Creates a batch for the alarm that is due first by the time at which the batch is processed.
  convenience init(alarmFor owner: (any BatchOwner)?) {
    self.init(.alarm, InputList([()]), for: owner)
  }

  /// Creates a batch for the newest State of a followed session.
  convenience init(following id: FollowingID) {
    self.init(.following, InputList([id]), for: nil)
  }

  /// Creates a batch for an action that a followed session's State has led to in another run.
  convenience init(recorded action: any Sendable) {
    self.init(.following, InputList([RecordedAction(action: action)]), for: nil)
  }

  private init(_ code: RunningCode, _ list: InputList, for owner: (any BatchOwner)?) {
    self.code = code
    inputs = list
    count = 1
    first = 0
    self.owner = owner
    origin = nil
    isForeign = false
    leavesVisitors = nil
    isStart = false
    holdsNoInputs = true
  }

  /// The followed session whose newest State the batch stands for; nil for an alarm.
  var following: FollowingID? { inputs(of: FollowingID.self)?.first }

  /// The action of another run that the batch stands for; nil for alarms and followed sessions.
  var recorded: (any Sendable)? { inputs(of: RecordedAction.self)?.first?.action }

  private struct RecordedAction: Sendable {
    let action: any Sendable
  }

  /// Whether progress is stored with each Input.
  var isKeyed: Bool { owner?.isKeyed ?? false }

  /// The launch; nil for a batch of Inputs.
  var launch: Launch? { inputs(of: Launch.self)?.first }

  /// Returns the Inputs; nil if they are of another type.
  package func inputs<Input: Sendable>(of type: Input.Type) -> [Input]? {
    inputs.elements(of: type)
  }

  /// Returns the case name of an Input.
  func name(at index: Int) -> String { inputs.name(at: index) }

  /// Returns whether the batch may begin, just before its first Input is processed.
  func mayBegin(at version: Int) -> Bool {
    // A batch that continues after a restart met its condition before.
    first > 0 || owner?.mayBegin(at: version) ?? true
  }

  func notify(_ progress: Progress) {
    owner?.didProgress(to: progress)
  }
}

/// Inputs with their type erased; equal batches may share one list.
package struct InputList: Sendable {
  package let count: Int
  /// A class, so that a cast to the concrete type is a single comparison.
  private let elements: any AnyObject & Sendable

  private final class Elements<Input: Sendable>: NamedElements {
    let all: [Input]

    init(_ all: [Input]) {
      self.all = all
    }

    func name(at index: Int) -> String { caseName(of: all[index]) }
  }

  package init<Input: Sendable>(_ elements: [Input]) {
    count = elements.count
    self.elements = Elements(elements)
  }

  func name(at index: Int) -> String { (elements as? any NamedElements)?.name(at: index) ?? "" }

  /// Returns the Inputs; nil if they are of another type.
  func elements<Input: Sendable>(of type: Input.Type) -> [Input]? {
    (elements as? Elements<Input>)?.all
  }
}

/// Inputs of a hidden type, by their case names.
private protocol NamedElements: AnyObject, Sendable {
  func name(at index: Int) -> String
}

/// The owner of a batch, which is notified of its progress.
///
/// Called when results are released, and by the engine as it closes; must neither block nor call the
/// engine.
package protocol BatchOwner: AnyObject, Sendable {
  /// Whether progress is to be stored with each Input.
  var isKeyed: Bool { get }

  /// The origin of the Inputs; nil if nobody uses it.
  var origin: InputOrigin? { get }

  /// Whether another session has sent the Inputs.
  var isMessage: Bool { get }

  /// Whether State may list visitors once the batch is processed; nil if it leaves that as it was.
  var leavesVisitors: Bool? { get }

  /// Returns whether the batch may begin at a version; false refuses the whole batch.
  func mayBegin(at version: Int) -> Bool

  func didProgress(to progress: InputBatch.Progress)
}

extension BatchOwner {
  package var isKeyed: Bool { false }
  package var origin: InputOrigin? { nil }
  package var isMessage: Bool { false }
  package var leavesVisitors: Bool? { nil }
  package func mayBegin(at version: Int) -> Bool { true }
}

/// The owner of a batch that a test has sent as somebody.
private final class TestSender: BatchOwner {
  let origin: InputOrigin?

  init(_ sender: Identity?, _ session: String?) {
    origin = InputOrigin(request: nil, trace: .current, sender: sender, session: session)
  }

  func didProgress(to progress: InputBatch.Progress) {}
}

/// The way a view model begins.
package enum Launch: Sendable {
  /// A new view model.
  case started
  /// A view model with a State from the store.
  case restored(Interrupted)
}
