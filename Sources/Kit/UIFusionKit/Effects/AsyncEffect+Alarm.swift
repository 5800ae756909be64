#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Alarms: actions that are due at a time of the calendar, whatever happens to the process until then.
extension AsyncEffect where Action: Codable {
  /// Returns an effect that sets an alarm: an action that the view model gets at a date, or soon after.
  ///
  /// The alarm is stored with the turn that asks for it. It wakes a session that sleeps, survives restarts and
  /// deploys, and is removed by the commit of its action's turn, so that it is delivered once. A newer
  /// alarm with an equal id, as Swift prints ids, replaces it. It is cancelled when the child that has set it is
  /// gone. An alarm set for the past rings at once. Keep the case of its action readable for as long as
  /// one may be set. At most 1,000 alarms of 256 KiB are set at a time, each with an id of 1,024 bytes
  /// at most as printed: the Input that asks for more is rejected.
  public static func alarm(
    id: some Hashable & Sendable,
    at date: Date,
    _ action: Action
  ) -> AsyncEffect {
    AsyncEffect(step: .alarm(.set(EffectID(id), .at(date), .value(action))))
  }

  /// Returns an effect that sets an alarm a duration from the moment at which the effect starts.
  public static func alarm(
    id: some Hashable & Sendable,
    after duration: Duration,
    _ action: Action
  ) -> AsyncEffect {
    AsyncEffect(step: .alarm(.set(EffectID(id), .after(duration), .value(action))))
  }

  /// Returns an effect that cancels the alarm with an id, if it is set.
  public static func cancelAlarm(id: some Hashable & Sendable) -> AsyncEffect {
    AsyncEffect(step: .alarm(.cancel(EffectID(id))))
  }
}
