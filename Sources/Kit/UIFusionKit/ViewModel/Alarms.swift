#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A view model, of a pattern without effects, that sets alarms and sends messages.
///
/// ```swift
/// struct Reminder: ViewModelProtocol, AlarmSetting {
///   enum Action: Codable, Sendable { case remind, ring }
///
///   let alarms = Alarms<Action>()
///
///   mutating func perform(_ action: Action) {
///     switch action {
///     case .remind: alarms.set("tea", after: .seconds(180), .ring)
///     case .ring: state.isReady = true
///     }
///   }
/// }
/// ```
///
/// The action of an alarm is performed like that of an Input. A ``ReducerViewModel`` returns effects instead:
/// see ``AsyncEffect/alarm(id:at:_:)``, which has the same rules.
public protocol AlarmSetting: ViewModel where Action: Codable {
  /// The alarms, created together with the view model.
  var alarms: Alarms<Action> { get }
}

/// The alarms and messages of a view model.
///
/// A request takes effect with the commit of the turn that makes it.
public final class Alarms<Action: Codable & Sendable> {
  let requests = AlarmRequests()

  /// Creates an object without alarms.
  public init() {}

  /// Sets an alarm: an action that the view model gets at a date, or soon after.
  public func set(_ id: some Hashable & Sendable, at date: Date, _ action: Action) {
    requests.steps.append(.alarm(.set(EffectID(id), .at(date), .value(action))))
  }

  /// Sets an alarm a duration from now.
  public func set(_ id: some Hashable & Sendable, after duration: Duration, _ action: Action) {
    requests.steps.append(.alarm(.set(EffectID(id), .after(duration), .value(action))))
  }

  /// Cancels the alarm with an id, if it is set.
  public func cancel(_ id: some Hashable & Sendable) {
    requests.steps.append(.alarm(.cancel(EffectID(id))))
  }

  /// Sends an Input to another hosted session: see ``AsyncEffect/send(_:to:ifRefused:)``, which has the same rules.
  public func send(
    _ input: some Encodable & Sendable,
    to address: SessionAddress,
    ifRefused refusal: Action? = nil
  ) {
    requests.steps.append(.message(input, to: address, ifRefused: refusal))
  }

  /// Answers a session's message: see ``AsyncEffect/reply(_:to:ifRefused:)``, which has the same rules.
  public func reply(
    _ input: some Encodable & Sendable,
    to session: String? = InputSender.session,
    ifRefused refusal: Action? = nil
  ) {
    requests.steps.append(.reply(input, to: session, ifRefused: refusal))
  }
}

@available(*, unavailable)
extension Alarms: Sendable {}

extension AlarmSetting {
  var alarmRequests: AlarmRequests { alarms.requests }
}
