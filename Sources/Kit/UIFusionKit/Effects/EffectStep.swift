/// An effect as the engine sees it, without the type of its actions.
indirect enum EffectStep: Sendable {
  case none
  case send(any Sendable)
  case run(EffectRun)
  case cancel(EffectID)
  /// Several steps, serial or concurrent. A group with an id can be cancelled and replaced.
  case group(EffectID?, isSerial: Bool, [EffectStep])
  /// A step that runs at most once per duration: the first request at once and, if `latest`, the
  /// last one at the end.
  case throttle(EffectID, Duration, latest: Bool, EffectStep)
  case alarm(AlarmStep)
  /// A step of a child, with the child's actions and ids.
  case child(any ChildLink, EffectStep)
  /// Asks the parent to remove the child.
  case dismiss
  /// Ends all effects of children that left State; the scopes lead up to the view model that asks for it.
  case leave(Set<EffectScope>)
}

extension EffectStep {
  /// Whether the step may start work, now or later; the turn that asks for it is then stored.
  var mayStartWork: Bool {
    switch self {
    case .none, .send, .cancel, .alarm, .dismiss, .leave: false
    case .run, .throttle: true
    case .child(_, let step): step.mayStartWork
    case .group(_, _, let steps): steps.contains(where: \.mayStartWork)
    }
  }
}

/// A piece of work that takes time.
struct EffectRun: Sendable {
  var id: EffectID?
  var policy = EffectPolicy.replace
  /// Whether the work, and all that it starts, does not count as unsettled.
  var isBackground = false
  var work: Work

  enum Work: Sendable {
    case operation(
      @concurrent @Sendable (_ send: @escaping @concurrent @Sendable (any Sendable) async -> Void)
        async throws -> Void
    )
    /// Work that ends in one action or none.
    case action(@concurrent @Sendable () async throws -> (any Sendable)?)
    case pause(Duration)
    /// A timer: an action at each interval, first after one interval.
    case ticks(every: Duration, any Sendable)
    /// Work that belongs to a trace.
    indirect case traced(Work, TraceContext)
  }
}

extension EffectStep {
  /// Returns the step with all of its work in a trace.
  func traced(_ trace: TraceContext) -> EffectStep {
    switch self {
    case .none, .send, .cancel, .alarm, .dismiss, .leave: return self
    case .child(let link, let step): return .child(link, step.traced(trace))
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

extension EffectStep {
  /// Calls a function with the scope of each child that takes part in the step.
  func forEachScope(within outer: EffectScope? = nil, _ body: (EffectScope) -> Void) {
    switch self {
    case .none, .send, .run, .cancel, .alarm, .dismiss, .leave: break
    case .group(_, _, let steps): for step in steps { step.forEachScope(within: outer, body) }
    case .throttle(_, _, _, let step): step.forEachScope(within: outer, body)
    case .child(let link, let step):
      let scope = EffectScope(link, within: outer)
      body(scope)
      step.forEachScope(within: scope, body)
    }
  }
}

extension EffectStep {
  /// Returns the step without the parts of children that left State.
  func without(_ scopes: Set<EffectScope>, in outer: EffectScope?) -> EffectStep {
    switch self {
    case .none, .send, .run, .cancel, .alarm, .dismiss, .leave: return self
    case .group(let id, let isSerial, let steps):
      return .group(id, isSerial: isSerial, steps.map { $0.without(scopes, in: outer) })
    case .throttle(let id, let duration, let latest, let step):
      return .throttle(id, duration, latest: latest, step.without(scopes, in: outer))
    case .child(let link, let step):
      let scope = EffectScope(link, within: outer)
      return scope.isWithin(scopes) ? .none : .child(link, step.without(scopes, in: scope))
    }
  }
}

extension EffectStep: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: "none"
    case .send: "action"
    case .run(let run): "\(run.work.kind.rawValue)\(named(run.id))"
    case .cancel(let id): "cancel\(named(id))"
    case .alarm(.set(let id, _, _)): "alarm\(named(id))"
    case .alarm(.cancel(let id)): "cancelAlarm\(named(id))"
    case .alarm(.send): "message"
    case .group(let id, let isSerial, let steps):
      "\(isSerial ? "merge" : "concurrent")\(named(id))[\(steps.map(\.description).joined(separator: ", "))]"
    case .throttle(let id, _, _, let step): "throttle\(named(id))[\(step)]"
    case .child(let link, let step): "\(readableEffectName(link.slot.name)): \(step)"
    case .dismiss: "dismiss"
    case .leave(let scopes): "leave(\(scopes.map(\.name).sorted().joined(separator: ", ")))"
    }
  }

  private func named(_ id: EffectID?) -> String {
    id.map { "(\($0))" } ?? ""
  }
}
