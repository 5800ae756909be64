import UIFusionKit

/// A view model that takes as many seconds as an Input says, and adds them up; the sum is negative meanwhile.
final class Slow: AsyncViewModel {
  typealias Input = Int
  typealias Action = Int
  typealias State = Int

  var state = 0
  private let time: any TimeSource

  init(time: any TimeSource) {
    self.time = time
  }

  func transform(_ input: Int) async -> [Int] { [input] }

  func perform(_ action: Int) async throws {
    let sum = state + action
    state = -sum
    try await time.sleep(for: .seconds(action))
    state = sum
  }

  func handleError(_ error: SendableError) async {}
}
