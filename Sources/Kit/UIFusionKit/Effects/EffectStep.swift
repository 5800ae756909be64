/// An effect as the engine sees it: what is to be done, without the types of its actions.
indirect enum EffectStep: Sendable {
  case none
  case send(any Sendable)
  case run(EffectRun)
  case cancel(EffectID)
  /// Several, one after another or all at once. With an id the group can be cancelled and replaced.
  case group(EffectID?, isSerial: Bool, [EffectStep])
  /// At most one in a while: the first at once, and where `latest`, the last one at the end.
  case throttle(EffectID, Duration, latest: Bool, EffectStep)
}

extension EffectStep {
  /// Whether it may start work, now or later: then the turn that asks for it is stored.
  var mayStartWork: Bool {
    switch self {
    case .none, .send, .cancel: false
    case .run, .throttle: true
    case .group(_, _, let steps): steps.contains(where: \.mayStartWork)
    }
  }
}

/// One piece of work that takes time.
struct EffectRun: Sendable {
  var id: EffectID?
  var policy = EffectPolicy.replace
  /// Nobody waits for it: it does not count as unsettled, nor does what it starts.
  var isBackground = false
  var work: Work

  enum Work: Sendable {
    case operation(
      @concurrent @Sendable (_ send: @escaping @concurrent @Sendable (any Sendable) async -> Void)
        async throws -> Void
    )
    /// Comes to one action, or to none, and is over with that.
    case action(@concurrent @Sendable () async throws -> (any Sendable)?)
    case pause(Duration)
    /// Sends an action again and again, for the first time after one interval.
    case ticks(every: Duration, any Sendable)
    /// Work that belongs to a trace.
    indirect case traced(Work, TraceContext)
  }
}

extension EffectStep {
  /// The same, with all of its work belonging to a trace.
  func traced(_ trace: TraceContext) -> EffectStep {
    switch self {
    case .none, .send, .cancel: return self
    case .run(var run):
      run.work = .traced(run.work, trace)
      return .run(run)
    case .group(let id, let isSerial, let steps):
      return .group(id, isSerial: isSerial, steps.map { $0.traced(trace) })
    case .throttle(let id, let duration, let latest, let step):
      return .throttle(id, duration, latest: latest, step.traced(trace))
    }
  }
}

extension EffectStep: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: "none"
    case .send: "action"
    case .run(let run): "\(run.work.name)\(named(run.id))"
    case .cancel(let id): "cancel\(named(id))"
    case .group(let id, let isSerial, let steps):
      "\(isSerial ? "merge" : "concurrent")\(named(id))[\(steps.map(\.description).joined(separator: ", "))]"
    case .throttle(let id, _, _, let step): "throttle\(named(id))[\(step)]"
    }
  }

  private func named(_ id: EffectID?) -> String {
    id.map { "(\($0))" } ?? ""
  }
}

extension EffectRun.Work {
  fileprivate var name: String {
    switch self {
    case .operation, .action: "run"
    case .pause: "pause"
    case .ticks: "timer"
    case .traced(let work, _): work.name
    }
  }
}
