import Sessions
import Synchronization
import UIFusionKit

/// Counts to what it is told, one second a step; its Inputs are numbers as text.
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

  static func sleeper(freed: @escaping @Sendable () -> Void) -> HostedViewModel {
    HostedViewModel(
      name: "sleeper",
      summary: "",
      read: { body, condition, progress in
        let input = Int(String(decoding: body, as: UTF8.self)) ?? 0
        return Delivery([input], progress: progress, if: condition)
      },
      open: { _, opening in
        Engine(
          opening.dependencies,
          mailboxLimit: opening.mailboxLimit,
          settled: opening.settled,
          published: { (state: Int, version) in
            opening.published(Array("\(state)".utf8), 0, version)
          },
          { Sleeper(time: opening.dependencies.time, freed: freed) }
        )
      }
    )
  }

  /// Adds the numbers that it is told, at once; with commas between them, they are a batch.
  static let counting = HostedViewModel(
    name: "counting",
    summary: "",
    read: { body, condition, progress in
      let inputs = String(decoding: body, as: UTF8.self).split(separator: ",")
      return Delivery(inputs.map { Int($0) ?? 0 }, progress: progress, if: condition)
    },
    open: { start, opening in
      var resumption: Resumption<Int>?
      if case .stored(_, let state, _, let version) = start {
        let sum = Int(String(decoding: state, as: UTF8.self)) ?? 0
        resumption = Resumption(sum, version: version)
      }
      return Engine(
        opening.dependencies,
        mailboxLimit: opening.mailboxLimit,
        gate: opening.gate,
        resuming: resumption,
        settled: opening.settled,
        published: { (state: Int, version) in
          opening.published(Array("\(state)".utf8), 0, version)
        },
        { Counting() }
      )
    }
  )

  static let refusing = HostedViewModel(
    name: "refusing",
    summary: "",
    read: { _, _, _ in throw Refused() },
    open: { _, _ in throw Refused() }
  )
}

extension Snapshot {
  var text: String { String(decoding: state, as: UTF8.self) }
}

extension Session.Progress {
  var name: String {
    switch self {
    case .taken: "taken"
    case .settled: "settled"
    case .abandoned: "abandoned"
    case .interrupted: "interrupted"
    case .failed: "failed"
    case .refused: "refused"
    case .ended: "ended"
    }
  }
}

extension SessionHost.Lookup {
  var name: String {
    switch self {
    case .live: "live"
    case .ended: "ended"
    case .asleep: "asleep"
    case .unknown: "unknown"
    }
  }
}

extension SessionHost {
  /// A new session, at once; nil where there are as many as may be.
  func create(_ viewModel: HostedViewModel) throws -> Session? {
    let result = Mutex<Result<Session, any Error>?>(nil)
    create(viewModel) { outcome in result.withLock { $0 = outcome } }
    do {
      return try result.withLock { $0 }?.get()
    } catch is Full {
      return nil
    }
  }

  /// Ends a session, at once.
  func delete(_ id: SessionID) {
    delete(id) { _ in }
  }
}

/// Things that happened, from anywhere.
final class Tally: Sendable {
  private let names = Mutex<[String]>([])
  var all: [String] { names.withLock { $0 } }
  func add(_ name: String) { names.withLock { $0.append(name) } }
}
