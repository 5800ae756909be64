/// Inputs handed to an engine together.
///
/// They are processed back to back, no other Input in between.
package final class InputBatch: Sendable {
  private let inputs: InputList

  /// How many Inputs there are.
  package let count: Int

  /// Where processing begins: those before it were processed before the process ended.
  package let first: Int

  /// Whether it is no Input, but what a new view model begins with.
  let isStart: Bool

  /// Who submitted it.
  package let owner: (any BatchOwner)?

  /// Where the Inputs come from; nil where it is of no use to anybody.
  let origin: InputOrigin?

  /// What has become of the Inputs.
  package enum Progress: Sendable, Equatable {
    /// The last Input has done what it does before it first suspends. Where that was all, the batch is
    /// settled.
    case processed(isSettled: Bool)
    /// Nothing that these Inputs started is left. Follows `processed(isSettled: false)`.
    case settled
    /// The engine was closed before they had settled. Follows `processed(isSettled: false)`.
    case abandoned
    /// The owner's condition was not met; nothing was done.
    case refused
    /// An Input's turn was taken back, and those after it were not processed; where there are several,
    /// `at` says which it was.
    case rejected(InvalidState, at: Int?)
    /// The engine was closed before the last of these Inputs was processed.
    case closed
  }

  /// Inputs of one view model's type; an engine with another does nothing about them.
  package init(_ inputs: InputList, from first: Int = 0, owner: (any BatchOwner)? = nil) {
    self.inputs = inputs
    self.count = inputs.count
    self.first = min(first, count)
    self.owner = owner
    origin = owner.map(\.origin) ?? .current
    isStart = false
  }

  /// As with a list of them.
  package convenience init<Input: Sendable>(
    _ inputs: [Input],
    from first: Int = 0,
    owner: (any BatchOwner)? = nil
  ) {
    self.init(InputList(inputs), from: first, owner: owner)
  }

  /// No Input: lets a view model begin.
  init(_ beginning: Beginning) {
    inputs = InputList([beginning])
    count = 1
    first = 0
    owner = nil
    origin = nil
    if case .started = beginning { isStart = true } else { isStart = false }
  }

  /// How far it has come is stored with each of its Inputs.
  var isKeyed: Bool { owner?.isKeyed ?? false }

  /// How the view model begins, where this is no Input.
  var beginning: Beginning? { inputs(of: Beginning.self)?.first }

  /// The Inputs; nil where they are of another type.
  func inputs<Input: Sendable>(of type: Input.Type) -> [Input]? { inputs.elements(of: type) }

  /// Asked just before the first Input is processed.
  func mayBegin(at version: Int) -> Bool {
    // One that goes on began when its condition was met.
    first > 0 || owner?.mayBegin(at: version) ?? true
  }

  func tell(_ progress: Progress) {
    owner?.proceed(progress)
  }
}

/// Inputs of one type, which it does not show; batches that are alike may share them.
package struct InputList: Sendable {
  package let count: Int
  /// A class, so that to find out what it holds is a comparison and no more.
  private let elements: any AnyObject & Sendable

  private final class Elements<Input: Sendable>: Sendable {
    let all: [Input]

    init(_ all: [Input]) {
      self.all = all
    }
  }

  package init<Input: Sendable>(_ elements: [Input]) {
    count = elements.count
    self.elements = Elements(elements)
  }

  /// Nil where they are of another type.
  func elements<Input: Sendable>(of type: Input.Type) -> [Input]? {
    (elements as? Elements<Input>)?.all
  }
}

/// Who submits a batch, and is told what becomes of it.
///
/// Called by who releases results, and by the engine as it closes; it must neither wait nor call the
/// engine.
package protocol BatchOwner: AnyObject, Sendable {
  /// Whether how far the batch has come is to be stored with each of its Inputs.
  var isKeyed: Bool { get }

  /// Where the Inputs come from; nil where it is of no use to anybody.
  var origin: InputOrigin? { get }

  /// Whether the batch may begin while a version is current; false refuses all of it.
  func mayBegin(at version: Int) -> Bool

  func proceed(_ progress: InputBatch.Progress)
}

extension BatchOwner {
  package var isKeyed: Bool { false }
  package var origin: InputOrigin? { nil }
  package func mayBegin(at version: Int) -> Bool { true }
}
