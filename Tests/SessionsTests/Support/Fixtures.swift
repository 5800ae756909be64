import FusionSessions
import Synchronization
import UIFusionKit

/// Counts up to a number, one step a second; its Inputs are numbers as text.
final class Sleeper: AsyncViewModel {
  typealias Input = Int
  typealias Action = Int
  typealias State = Int

  var state = 0
  private let time: any TimeSource
  private let freed: @Sendable () -> Void

  init(time: any TimeSource, freed: @escaping @Sendable () -> Void) {
    self.time = time
    self.freed = freed
  }

  deinit { freed() }

  func transform(_ input: Int) async -> [Int] { [input] }

  func perform(_ action: Int) async throws {
    try await time.sleep(for: .seconds(1))
    state += action
  }

  func handleError(_ error: SendableError) async {}
}

struct Counting: ViewModelProtocol {
  typealias Input = Int
  typealias Action = Int
  typealias State = Int

  var state = 0

  func transform(_ input: Int) -> [Int] { [input] }
  mutating func perform(_ action: Int) { state += action }
}

struct Refused: Error {}

extension HostedViewModel {
  static let sleeper = sleeper {}

  static func sleeper(
    format: Int = 1,
    freed: @escaping @Sendable () -> Void
  ) -> HostedViewModel {
    HostedViewModel(
      name: "sleeper",
      summary: "",
      format: format,
      read: readNumbers,
      open: { start, opening in
        if case .stored(_, _, let stored, _) = start, stored > format { throw Refused() }
        return start.engine(opening) { Sleeper(time: opening.dependencies.time, freed: freed) }
      }
    )
  }

  /// Adds numbers at once; several with commas between them are a batch.
  static let counting = counting(format: 1)

  static func counting(format: Int) -> HostedViewModel {
    HostedViewModel(
      name: "counting",
      summary: "",
      format: format,
      read: readNumbers,
      open: { start, opening in
        if case .stored(_, _, let stored, _) = start, stored > format { throw Refused() }
        return start.engine(opening) { Counting() }
      }
    )
  }

  static let refusing = HostedViewModel(
    name: "refusing",
    summary: "",
    read: { _, _, _ in throw Refused() },
    open: { _, _ in throw Refused() }
  )
}

/// A body of numbers with commas between them.
@Sendable
func readNumbers(_ body: [UInt8], _ processed: Int, _ owner: any BatchOwner) -> InputBatch {
  let inputs = String(decoding: body, as: UTF8.self).split(separator: ",").map { Int($0) ?? 0 }
  return InputBatch(inputs, from: processed, owner: owner)
}

extension HostedViewModel.Start {
  /// An engine whose State is a number, written as text.
  func engine<Model: ViewModel>(
    _ opening: HostedViewModel.Opening,
    _ make: @Sendable () -> Model
  ) -> Engine where Model.State == Int {
    var resumption: ResumePoint<Int>?
    if case .stored(_, let state, _, let version) = self {
      let sum = Int(String(decoding: state, as: UTF8.self)) ?? 0
      resumption = ResumePoint(sum, version: version)
    }
    return Engine(
      opening.dependencies,
      mailboxLimit: opening.mailboxLimit,
      committer: opening.committer,
      resuming: resumption,
      alarms: opening.alarms,
      render: { EncodedState(Array("\($0)".utf8)) },
      make
    )
  }
}

extension Snapshot {
  var text: String { String(decoding: state, as: UTF8.self) }
}

/// An observer that calls a function with the progress of Inputs.
final class Observer: InputObserver {
  private let told: @Sendable (SubmittedInputs.Progress) -> Void

  init(_ told: @escaping @Sendable (SubmittedInputs.Progress) -> Void) {
    self.told = told
  }

  func didProgress(to progress: SubmittedInputs.Progress, of inputs: SubmittedInputs) {
    told(progress)
  }
}

extension SubmittedInputs.Progress {
  var name: String {
    switch self {
    case .processed: "processed"
    case .settled: "settled"
    case .withdrawn: "withdrawn"
    case .abandoned: "abandoned"
    case .interrupted: "interrupted"
    case .failed(let error): "failed: \(error)"
    case .refused: "refused"
    case .rejected: "rejected"
    case .ended: "ended"
    }
  }
}

extension SessionLookup {
  var name: String {
    switch self {
    case .resident: "live"
    case .ended: "ended"
    case .asleep: "asleep"
    case .unknown: "unknown"
    }
  }
}

extension Creator {
  /// Creates a session synchronously; returns nil if the limit is reached.
  func create(
    _ viewModel: HostedViewModel,
    attaching object: (any AnyObject & Sendable)? = nil
  ) throws -> Session? {
    let result = Mutex<Result<Session, any Error>?>(nil)
    create(viewModel, attaching: object) { outcome in result.withLock { $0 = outcome } }
    do {
      return try result.withLock { $0 }?.get()
    } catch is SessionLimitReached {
      return nil
    }
  }
}

extension Ender {
  /// Deletes a session synchronously.
  func delete(_ id: SessionID) {
    delete(id) { _ in }
  }
}

/// A record of events from any thread.
final class Tally: Sendable {
  private let names = Mutex<[String]>([])
  var all: [String] { names.withLock { $0 } }
  func add(_ name: String) { names.withLock { $0.append(name) } }
}
