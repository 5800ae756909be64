/// Effects that wait, by the engine's clock.
extension AsyncEffect {
  /// Returns an effect that sends an action after a duration.
  public static func sleepThen(
    id: (any Hashable & Sendable)? = nil,
    for duration: Duration,
    action: Action
  ) -> AsyncEffect {
    let pause = EffectStep.run(EffectRun(work: .pause(duration)))
    return AsyncEffect(
      step: .group(id.map { EffectID($0) }, isSerial: true, [pause, .send(action)])
    )
  }

  /// Returns an effect that sends an action at each interval, first after one interval, until it is
  /// cancelled.
  ///
  /// A late timer, because the process paused or the store hangs, ticks once, and then when its next tick is
  /// due. Neither the timer nor the work that its ticks start counts as unsettled. A timer does not keep its
  /// view model alive. A timer whose interval is zero or less fails at once: see `handleError`.
  public static func timer(
    id: some Hashable & Sendable,
    every interval: Duration,
    policy: EffectPolicy = .replace,
    action: Action
  ) -> AsyncEffect {
    let run = EffectRun(
      id: EffectID(id),
      policy: policy,
      isBackground: true,
      work: .ticks(every: interval, action)
    )
    return AsyncEffect(step: .run(run))
  }

  /// Returns an effect that runs once no effect with its id has been requested for a duration.
  ///
  /// A newer effect with the id replaces it, while it waits and while it runs.
  public static func debounce(
    id: some Hashable & Sendable,
    for duration: Duration,
    _ effect: AsyncEffect
  ) -> AsyncEffect {
    let pause = EffectStep.run(EffectRun(work: .pause(duration)))
    return AsyncEffect(step: .group(EffectID(id), isSerial: true, [pause, effect.step]))
  }

  /// Returns an effect that runs at most once per duration.
  ///
  /// The first effect runs at once. Of the effects that follow within the duration, the last runs at its
  /// end if `latest` is true; the others are dropped.
  public static func throttle(
    id: some Hashable & Sendable,
    for duration: Duration,
    latest: Bool,
    _ effect: AsyncEffect
  ) -> AsyncEffect {
    AsyncEffect(step: .throttle(EffectID(id), duration, latest: latest, effect.step))
  }
}

/// The error of a timer that would tick for ever without time going on.
struct UselessInterval: Error, CustomStringConvertible {
  let interval: Duration

  var description: String {
    "the interval of a timer must be longer than zero, and this one is \(interval)"
  }
}
