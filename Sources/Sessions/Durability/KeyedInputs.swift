import Synchronization

/// Inputs that came with a key, and how the answer is found that is kept for repetitions.
package struct KeyedInputs: Sendable {
  let key: String
  let digest: [UInt8]
  /// Who has claimed the key for them.
  let owner: ObjectIdentifier
  let now: @Sendable () -> WallTime
  /// Asked on the engine when the last Input was taken up, before anybody sees what came of it.
  let receipt: @Sendable (_ snapshot: Snapshot, _ isSettled: Bool) -> Receipt
}

/// How far a delivery has come on its way through the journal.
///
/// With a key, what its Inputs do is kept from the store until their answer can be stored with it: a
/// crash in between would else apply them and forget the key.
final class JournaledDelivery: Sendable {
  private struct Course {
    /// The newest entry when the first Input was about to be taken up.
    var start: Int?
    var isHolding = false
    var isTakenSeen = false
  }

  private let journal: Journal
  private let inputs: KeyedInputs?
  private let course = Mutex(Course())

  init(_ journal: Journal, _ inputs: KeyedInputs?) {
    self.journal = journal
    self.inputs = inputs
  }

  /// The first Input is about to be taken up.
  func begin() {
    let start = journal.position?.sequence
    course.withLock { course in
      course.start = start
      course.isHolding = inputs != nil
    }
    if inputs != nil { journal.hold() }
  }

  /// The last one was taken up.
  func end(_ snapshot: Snapshot, _ isSettled: Bool) {
    guard let inputs, endHolding() else { return }
    journal.release(
      with: KeyedAnswer(
        key: inputs.key,
        body: inputs.digest,
        receipt: inputs.receipt(snapshot, isSettled),
        time: inputs.now()
      )
    )
  }

  /// The last one will not be taken up, as the session has ended.
  func end() {
    if endHolding() { journal.dropHeld() }
  }

  private func endHolding() -> Bool {
    course.withLock { course in
      defer { course.isHolding = false }
      return course.isHolding
    }
  }

  /// It may be seen that the last one was taken up.
  func takenSeen() {
    course.withLock { $0.isTakenSeen = true }
  }

  var isTakenSeen: Bool { course.withLock { $0.isTakenSeen } }

  /// What its sender is told of the store's failure: that nothing was applied only where that is so.
  func failure(_ error: StoreError) -> StoreError {
    guard let start = course.withLock({ $0.start }) else {
      // What was never taken up was surely not applied.
      return error == .inDoubt ? .unreachable("the session was lost") : error
    }
    return journal.hasStored(after: start) ? .inDoubt : error
  }
}
