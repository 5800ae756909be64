/// A view model at work: its turns, with its types hidden from the engine that drives them.
///
/// Each pattern has one implementation; a view model needs none of its own. Erasing the types here
/// keeps the engine free of generics, which cost more at run time than a turn does.
public protocol Turns: AnyObject {
  /// Whether a turn of this Input waits for no other, and keeps no other waiting.
  func overlaps(_ delivery: Delivery, at index: Int) -> Bool

  /// Does all that an Input asks for. False where that may suspend: then nothing was done.
  func take(_ delivery: Delivery, at index: Int) -> Bool

  /// Does all that an Input asks for which ``take(_:at:)`` did not; `ended` follows each action.
  nonisolated(nonsending) func work(
    on delivery: Delivery,
    at index: Int,
    ended: () -> Void
  ) async

  /// Publishes State under this version if it is not what was published last.
  func publish(as version: Int) -> Bool
}

extension Turns {
  func overlaps(_ delivery: Delivery, at index: Int) -> Bool { false }
  func work(on delivery: Delivery, at index: Int, ended: () -> Void) async {}
}

/// What was published last, and where to publish.
struct Publisher<State: Equatable> {
  private var last: State
  private let publish: (_ state: State, _ version: Int) -> Void

  /// Publishes the first State as version 1.
  init(_ state: State, _ publish: @escaping (_ state: State, _ version: Int) -> Void) {
    last = state
    self.publish = publish
    publish(state, 1)
  }

  mutating func publish(_ state: State, as version: Int) -> Bool {
    guard state != last else { return false }
    last = state
    publish(state, version)
    return true
  }
}
