import UIFusionKit

extension InputBatch {
  /// Inputs whose owner consists of two closures.
  convenience init<Input: Sendable>(
    _ inputs: [Input],
    progress: @escaping @Sendable (Progress) -> Void,
    if condition: (@Sendable (_ version: Int) -> Bool)? = nil
  ) {
    self.init(inputs, owner: Owner(progress: progress, condition: condition))
  }

  private final class Owner: BatchOwner {
    private let progress: @Sendable (Progress) -> Void
    private let condition: (@Sendable (Int) -> Bool)?

    init(
      progress: @escaping @Sendable (Progress) -> Void,
      condition: (@Sendable (Int) -> Bool)?
    ) {
      self.progress = progress
      self.condition = condition
    }

    func mayBegin(at version: Int) -> Bool { condition?(version) ?? true }
    func didProgress(to step: Progress) { progress(step) }
  }
}
