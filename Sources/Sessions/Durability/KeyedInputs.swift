import Synchronization

/// Inputs that came with a key, and how the answer is found that is kept for repetitions.
package struct KeyedInputs: Sendable {
  let key: String
  let digest: [UInt8]
  let now: @Sendable () -> WallTime
  /// Asked on the engine when the last Input was taken up, before anybody sees what came of it.
  let receipt: @Sendable (_ snapshot: Snapshot, _ isSettled: Bool) -> Receipt
}

/// Keeps what Inputs with a key do from the store until their answer can be stored with it: a crash in
/// between would else apply them and forget the key.
final class JournalHold: Sendable {
  private let journal: Journal
  private let inputs: KeyedInputs
  private let isHolding = Atomic(false)

  init(_ journal: Journal, _ inputs: KeyedInputs) {
    self.journal = journal
    self.inputs = inputs
  }

  /// The first Input is about to be taken up.
  func begin() {
    isHolding.store(true, ordering: .relaxed)
    journal.hold()
  }

  /// The last one was taken up.
  func end(_ snapshot: Snapshot, _ isSettled: Bool) {
    guard isHolding.exchange(false, ordering: .relaxed) else { return }
    journal.release(
      with: KeyedAnswer(
        key: inputs.key,
        body: inputs.digest,
        receipt: inputs.receipt(snapshot, isSettled),
        time: inputs.now()
      )
    )
  }

  /// The last one will not be taken up.
  func end() {
    if isHolding.exchange(false, ordering: .relaxed) { journal.release(with: nil) }
  }
}
