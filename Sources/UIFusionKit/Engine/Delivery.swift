/// Inputs handed to an engine together, and how their sender hears of them.
///
/// Its Inputs run back to back, no other Input in between.
public final class Delivery: Sendable {
  /// An array of the view model's Inputs.
  private let inputs: any Sendable

  /// How many Inputs there are.
  public let count: Int

  /// Asked just before the first Input is taken up, with the version that is current then; false
  /// refuses them all.
  let condition: (@Sendable (_ version: Int) -> Bool)?

  /// Called on the engine.
  let progress: @Sendable (Progress) -> Void

  /// What has become of the Inputs.
  public enum Progress: Sendable, Equatable {
    /// The last Input has been taken up and has done what it does before it first suspends.
    /// Where that was all, it is settled.
    case taken(settled: Bool)
    /// Nothing that these Inputs started is left. Follows `taken(settled: false)`.
    case settled
    /// The engine was closed before they had settled. Follows `taken(settled: false)`.
    case abandoned
    /// The condition was not met; nothing was done.
    case refused
    /// The engine was closed before the last of these Inputs was taken up.
    case closed
  }

  /// Inputs of one view model's type; an engine with another does nothing about them.
  public init<Input: Sendable>(
    _ inputs: [Input],
    progress: @escaping @Sendable (Progress) -> Void = { _ in },
    if condition: (@Sendable (_ version: Int) -> Bool)? = nil
  ) {
    self.inputs = inputs
    self.count = inputs.count
    self.condition = condition
    self.progress = progress
  }

  /// No Input: lets a view model go on that was interrupted.
  init(resuming interrupted: Interrupted) {
    inputs = interrupted
    count = 1
    condition = nil
    progress = { _ in }
  }

  /// What was interrupted, where this is no Input.
  var interrupted: Interrupted? { inputs as? Interrupted }

  /// One of the Inputs; nil where they are of another type.
  func input<Input: Sendable>(_ type: Input.Type, at index: Int) -> Input? {
    (inputs as? [Input])?[index]
  }
}
