/// Sends a running effect's actions.
///
/// Each action is a turn of its own, run in the order of arrival. It returns when that turn is over.
/// After the effect has been cancelled, or its engine is gone, nothing that it sends arrives.
public struct Send<Action: Sendable>: Sendable {
  private let deliver: @concurrent @Sendable (Action) async -> Void

  /// Sends to a function, as a test of an effect may want.
  public init(_ deliver: @escaping @concurrent @Sendable (Action) async -> Void) {
    self.deliver = deliver
  }

  /// Sends one action.
  public func callAsFunction(_ action: Action) async {
    await deliver(action)
  }
}
