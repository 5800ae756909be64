import Synchronization
import UIFusionKit

/// Adds numbers, without delay.
struct Adder: ViewModelProtocol {
  enum Input { case add(Int), twice(Int), nothing }
  enum Action { case add(Int) }
  struct State: Equatable { var total = 0 }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    case .twice(let number): [.add(number), .add(number)]
    case .nothing: []
    }
  }

  mutating func perform(_ action: Action) {
    if case .add(let number) = action { state.total += number }
  }
}

/// Appends a letter after a second, and shows meanwhile that it is busy.
final class Writer: AsyncViewModel {
  enum Input { case write(String), peek, fail, spell(String), quit, watch }
  enum Action { case write(String), fail, peek, quit }
  struct State: Equatable {
    var text = ""
    var busy: String?
    var errors: [String] = []
  }

  struct Failure: Error {}

  var state = State()
  private let time: any TimeSource
  private let freed: @Sendable () -> Void

  init(time: any TimeSource, freed: @escaping @Sendable () -> Void = {}) {
    self.time = time
    self.freed = freed
  }

  deinit { freed() }

  func policy(for input: Input) -> InputPolicy {
    switch input {
    case .peek: .overlapping
    case .watch: .background
    default: .inOrder
    }
  }

  func transform(_ input: Input) async -> [Action] {
    switch input {
    case .write(let letter): [.write(letter)]
    case .peek: [.peek]
    case .fail: [.fail, .write("!")]
    case .spell(let word): word.map { .write(String($0)) }
    case .quit: [.quit]
    case .watch: [.write("w")]
    }
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .write(let letter):
      state.busy = letter
      defer { state.busy = nil }
      try await time.sleep(for: .seconds(1))
      state.text += letter
    case .peek: state.text += "?"
    case .fail: throw Failure()
    case .quit: throw CancellationError()
    }
  }

  func handleError(_ error: SendableError) async {
    state.errors.append(error.typeName)
  }
}

/// Calls a function in the middle of an action.
final class Hooked: AsyncViewModel {
  enum Input { case call, count }
  struct State: Equatable { var count = 0 }
  typealias Action = Input

  var state = State()
  private let hook: @Sendable () -> Void

  private let policy: InputPolicy

  init(policy: InputPolicy = .inOrder, hook: @escaping @Sendable () -> Void) {
    self.policy = policy
    self.hook = hook
  }

  func policy(for input: Input) -> InputPolicy { policy }

  func transform(_ input: Input) async -> [Input] { [input] }

  func perform(_ action: Input) async throws {
    if action == .call { hook() }
    state.count += 1
  }

  func handleError(_ error: SendableError) async {}
}

/// A flag that any thread may set.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// Calls a function with each number that it is sent, and starts an effect.
struct Calling: ReducerViewModel {
  typealias Input = Int
  typealias Action = Int
  typealias State = Int

  var state = 0
  let hook: @Sendable (Int) -> Void

  func transform(_ input: Int) -> [Int] { [input] }

  func reduce(state: inout Int, action: Int) -> [AsyncEffect<Int>] {
    hook(action)
    state += 1
    return [.sleepThen(for: .seconds(1), action: 0)]
  }
}

/// Reports when its last reference is released.
final class EveryLife: Sendable {
  private let ended: Flag
  init(_ ended: Flag) { self.ended = ended }
  deinit { ended.set() }
}
