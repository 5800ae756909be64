/// Effects that wait, all on the engine's own time.
extension AsyncEffect {
  /// Waits, and then sends an action.
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

  /// Sends an action again and again, for the first time after one interval, until it is cancelled.
  ///
  /// One that is late, after a pause of the process or while the store hangs, ticks once, and then when
  /// its next tick is due.
  ///
  /// Nobody waits for a timer, nor for what its ticks start; and it keeps nothing alive.
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
      // An interval of nothing would never let time go on.
      work: .ticks(every: max(interval, .nanoseconds(1)), action)
    )
    return AsyncEffect(step: .run(run))
  }

  /// Carries out an effect once nothing has asked for it by this id for a while.
  ///
  /// A newer one takes its place, while it waits and while it runs.
  public static func debounce(
    id: some Hashable & Sendable,
    for duration: Duration,
    _ effect: AsyncEffect
  ) -> AsyncEffect {
    let pause = EffectStep.run(EffectRun(work: .pause(duration)))
    return AsyncEffect(step: .group(EffectID(id), isSerial: true, [pause, effect.step]))
  }

  /// Carries out an effect at most once in a while.
  ///
  /// The first is carried out at once. Of those that come within the duration after it, the last is
  /// carried out at its end where `latest` is true; the others are dropped.
  public static func throttle(
    id: some Hashable & Sendable,
    for duration: Duration,
    latest: Bool,
    _ effect: AsyncEffect
  ) -> AsyncEffect {
    AsyncEffect(step: .throttle(EffectID(id), duration, latest: latest, effect.step))
  }
}
