#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Alarms: actions that are due at a calendar time, even if the process restarts in the meantime.
extension AsyncEffect where Action: Codable {
  /// Returns an effect that sets an alarm: the view model gets the action at the date, or soon after.
  ///
  /// The alarm is stored with the turn that sets it. It wakes a sleeping session, survives restarts and
  /// deploys, and is removed in the commit of its action's turn, so that it is delivered once. A newer alarm
  /// with an equal id, as Swift prints ids, replaces it. It is cancelled when the child that set it leaves
  /// State. It rings in the next whole millisecond, and at once if it is set for the past. Keep the action's
  /// case decodable for as long as an alarm may be set.
  ///
  /// A session holds at most 1,000 alarms and messages, 256 KiB in total; a printed id has at most 1,024
  /// bytes. An Input that exceeds a limit is rejected.
  public static func alarm(
    id: some Hashable & Sendable,
    at date: Date,
    _ action: Action
  ) -> AsyncEffect {
    AsyncEffect(step: .alarm(.set(EffectID(id), .at(date), .value(action))))
  }

  /// Returns an effect that sets an alarm a duration after the effect starts.
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
