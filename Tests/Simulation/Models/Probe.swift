import FusionSessions
import UIFusionKit

/// The reports of one process's view models to the simulation: that they live, what work they begin, and
/// what is left of it.
final class Probes: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  /// The number of view models that live.
  fileprivate(set) var alive = 0
  /// The sessions that were read from the store.
  private(set) var restored: Set<SessionID> = []
  /// The number of times that one of these was read, and of their view models that were told so.
  private var restorations = 0
  fileprivate var told = 0
  /// The pieces of work that are left of each Input, by its number.
  fileprivate(set) var left: [Int: Int] = [:]
  /// Once the process is dead, nothing that its view models do is seen.
  var isDead = false
  let planted: Set<PlantedFault>
  /// Whether a session was taken back to what it was before.
  var isTakenBack: (_ session: String) -> Bool = { _ in false }
  private let scheduler: Scheduler
  private let workBegan: (_ number: Int, _ isRestored: Bool) -> Void

  init(
    _ scheduler: Scheduler,
    planting faults: Set<PlantedFault>,
    workBegan: @escaping (_ number: Int, _ isRestored: Bool) -> Void
  ) {
    self.scheduler = scheduler
    planted = faults
    self.workBegan = workBegan
  }

  /// Work begins for the Input of a number; `isRestored` where a view model goes on with it that has
  /// come back from the store.
  func began(_ number: Int, isRestored: Bool = false) {
    if !isDead { workBegan(number, isRestored) }
  }

  /// A piece of an Input's work is over.
  func done(_ number: Int) {
    guard let count = left[number] else { return }
    left[number] = count > 1 ? count - 1 : nil
  }

  /// A session was read from the store: its view model was told by now.
  func restored(_ id: SessionID, of viewModel: String) {
    guard !isDead else { return }
    restored.insert(id)
    // One whose State is migrated may have lost the store by now.
    guard viewModel != ModelKind.book.rawValue else { return }
    restorations += 1
    if told < restorations {
      scheduler.fail(.restored, "the view model of \(id.redacted) is not told that it comes back")
    }
  }

  /// A view model gets an alarm, or a message, that it must not get.
  func failed(_ text: String, _ rule: Rule = .alarms) {
    if !isDead { scheduler.fail(rule, text) }
  }

  /// Waits for a second, whatever is cancelled.
  func pause() async {
    await withUnsafeContinuation { continuation in
      scheduler.after(.seconds(1)) { continuation.resume() }
    }
  }
}

/// Lives as long as a view model.
final class Probe: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let all: Probes
  private var numbers: Set<Int> = []

  init(_ all: Probes) {
    self.all = all
    all.alive += 1
  }

  /// The view model is told that it comes back from the store.
  func restored() { all.told += 1 }

  /// Notes how many pieces of work are to come of an Input.
  func expect(_ count: Int = 1, of number: Int) {
    numbers.insert(number)
    all.left[number, default: 0] += count
  }

  deinit {
    all.alive -= 1
    // Of what the store has failed, nothing is left.
    for number in numbers { all.left[number] = nil }
  }
}
