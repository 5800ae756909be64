#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request that sets or cancels an alarm, or sends a message, which is kept in the form of an alarm.
enum AlarmStep: Sendable {
  case set(EffectID, AlarmTime, AlarmAction)
  case cancel(EffectID)
  case send(MessageRequest)
}

/// The requested time of an alarm.
enum AlarmTime: Sendable {
  case at(Date)
  case after(Duration)

  /// Returns the time in milliseconds since 1970: never early, and within every store's range.
  func milliseconds(_ now: Date) -> Int64 {
    let seconds =
      switch self {
      case .at(let date): date.timeIntervalSince1970
      case .after(let duration): now.timeIntervalSince1970 + duration / .seconds(1)
      }
    // A fraction below a microsecond is a rounding error.
    let milliseconds = (seconds * 1000 - 0.001).rounded(.up)
    // Limited to the year 9999; NaN is due at once.
    return Int64(max(0, min(milliseconds.isNaN ? 0 : milliseconds, Double(Self.latest))))
  }

  static let latest: Int64 = 253_402_300_799_000
}

/// The action of an alarm, or the Input of a message: as a value, or as JSON, in which an action is the
/// outermost parent's.
enum AlarmAction: Sendable {
  case value(any Sendable)
  case json([UInt8])

  var json: [UInt8]? { if case .json(let bytes) = self { bytes } else { nil } }

  var value: (any Sendable)? { if case .value(let value) = self { value } else { nil } }
}

/// The requests that a view model has made since its engine last took them.
final class AlarmRequests {
  var steps: [EffectStep] = []

  func take() -> [EffectStep] {
    defer { steps = [] }
    return steps
  }
}

extension EffectStep {
  /// Whether the step concerns an alarm or a message, now or later.
  var concernsAlarms: Bool {
    switch self {
    case .none, .send, .run, .cancel, .dismiss, .leave: false
    case .alarm: true
    case .child(_, let step), .throttle(_, _, _, let step): step.concernsAlarms
    case .group(_, _, let steps): steps.contains(where: \.concernsAlarms)
    }
  }

  /// Returns the step with a function applied to each request of an alarm or a message, with the child that
  /// makes it.
  func mappingAlarms<Failure: Error>(
    within scope: EffectScope? = nil,
    _ body: (AlarmStep, EffectScope?) throws(Failure) -> AlarmStep
  ) throws(Failure) -> EffectStep {
    switch self {
    case .none, .send, .run, .cancel, .dismiss, .leave: return self
    case .alarm(let step): return .alarm(try body(step, scope))
    case .group(let id, let isSerial, let steps):
      let steps = try steps.map { (step) throws(Failure) in
        try step.mappingAlarms(within: scope, body)
      }
      return .group(id, isSerial: isSerial, steps)
    case .throttle(let id, let duration, let latest, let step):
      let step = try step.mappingAlarms(within: scope, body)
      return .throttle(id, duration, latest: latest, step)
    case .child(let link, let step):
      return .child(link, try step.mappingAlarms(within: EffectScope(link, within: scope), body))
    }
  }
}
