/// The asynchronous pattern: `transform` and `perform` may wait, and an error goes to `handleError`.
///
/// An Input's actions are performed one after another. State is published whenever `perform`
/// suspends, and at each action's end: a loading flag set before an `await` is seen while it waits.
/// An error ends its own action only; the next one follows.
///
/// Inputs run one after another. ``overlaps(_:)`` lets some of them through while another runs.
///
/// ```swift
/// final class CounterViewModel: AsyncViewModel {
///   …
///   private(set) var state = State()
///
///   func transform(_ input: Input) async -> [Action] { … }
///
///   func perform(_ action: Action) async throws {
///     state.isLoading = true
///     defer { state.isLoading = false }
///     try await clock.sleep(for: .milliseconds(500))
///     state.value += 1
///   }
///
///   func handleError(_ error: SendableError) async { state.alert = error.description }
/// }
/// ```
public protocol AsyncViewModel: ViewModel, AnyObject {
  var state: State { get }

  /// The actions that an Input stands for, in order.
  nonisolated(nonsending) func transform(_ input: Input) async -> [Action]

  /// Does one action, by changing `state`; what it throws reaches `handleError`.
  nonisolated(nonsending) func perform(_ action: Action) async throws

  /// Called once for each action that failed. Cancellation is no failure and does not come here.
  nonisolated(nonsending) func handleError(_ error: SendableError) async

  /// Whether this Input may run beside others; false for all of them unless the view model says.
  func overlaps(_ input: Input) -> Bool
}

extension AsyncViewModel {
  /// The turns of this pattern: work that may suspend.
  public static func turns(
    of model: Self,
    publish: @escaping (_ state: State, _ version: Int) -> Void
  ) -> any Turns {
    AsyncTurns(model, publish)
  }

  /// No Input overlaps.
  public func overlaps(_ input: Input) -> Bool { false }
}

private final class AsyncTurns<Model: AsyncViewModel>: Turns {
  private let model: Model
  private var publisher: Publisher<Model.State>

  init(_ model: Model, _ publish: @escaping (_ state: Model.State, _ version: Int) -> Void) {
    self.model = model
    publisher = Publisher(model.state, publish)
  }

  func overlaps(_ delivery: Delivery, at index: Int) -> Bool {
    delivery.input(Model.Input.self, at: index).map(model.overlaps) ?? false
  }

  func take(_ delivery: Delivery, at index: Int) -> Bool { false }

  func work(on delivery: Delivery, at index: Int, ended: () -> Void) async {
    guard let input = delivery.input(Model.Input.self, at: index) else { return }
    for action in await model.transform(input) where !Task.isCancelled {
      do {
        try await model.perform(action)
      } catch is CancellationError {
      } catch {
        await model.handleError(SendableError(error))
      }
      ended()
    }
  }

  func publish(as version: Int) -> Bool {
    publisher.publish(model.state, as: version)
  }
}
