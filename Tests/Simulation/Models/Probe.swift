import FusionSessions
import UIFusionKit

/// The reports of one process's view models to the simulation: their existence, the work that they begin, and
/// the work that is left.
final class Probes: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  /// The number of existing view models.
  fileprivate(set) var alive = 0
  /// The sessions that were read from the store.
  private(set) var restored: Set<SessionID> = []
  /// The number of reads, and the number of view models that were told about theirs.
  private var restorations = 0
  fileprivate var told = 0
  /// The number of unfinished pieces of work of each Input, by the Input's number.
  fileprivate(set) var left: [Int: Int] = [:]
  /// Whether the process is dead, so that reports are ignored.
  var isDead = false
  let planted: Set<PlantedFault>
  /// Whether a session was recovered to an earlier State.
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

  /// Reports that the work for an Input's number begins; `isRestored` if a view model restored from the store
  /// resumes it.
  func began(_ number: Int, isRestored: Bool = false) {
    if !isDead { workBegan(number, isRestored) }
  }

  /// Reports that a piece of an Input's work has ended.
  func done(_ number: Int) {
    guard let count = left[number] else { return }
    left[number] = count > 1 ? count - 1 : nil
  }

  /// Checks that the view model of a session read from the store has been told so.
  func restored(_ id: SessionID, of viewModel: String) {
    guard !isDead else { return }
    restored.insert(id)
    // A session whose State is migrated may have lost the store by now.
    guard viewModel != ModelKind.book.rawValue else { return }
    restorations += 1
    if told < restorations {
      scheduler.fail(.restored, "the view model of \(id.redacted) is not told that it is restored")
    }
  }

  /// Reports that a view model received an alarm or message that it must not receive.
  func failed(_ text: String, _ rule: Rule = .alarms) {
    if !isDead { scheduler.fail(rule, text) }
  }

  /// Waits for a second, ignoring cancellation.
  func pause() async {
    await withUnsafeContinuation { continuation in
      scheduler.after(.seconds(1)) { continuation.resume() }
    }
  }
}

/// An object that lives as long as its view model.
final class Probe: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let all: Probes
  private var numbers: Set<Int> = []

  init(_ all: Probes) {
    self.all = all
    all.alive += 1
  }

  /// Reports that the view model was told about its restoration.
  func restored() { all.told += 1 }

  /// Reports the pieces of work that an Input will have.
  func expect(_ count: Int = 1, of number: Int) {
    numbers.insert(number)
    all.left[number, default: 0] += count
  }

  deinit {
    all.alive -= 1
    // If the store failed, no work is left.
    for number in numbers { all.left[number] = nil }
  }
}
