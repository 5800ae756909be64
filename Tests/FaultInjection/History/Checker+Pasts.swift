/// The check of forks and of recovered sessions.
extension Checker {
  /// Returns a session's views, grouped into the spans between its recoveries.
  func spans(of session: History.SessionPath, _ views: [View]) -> [[View]] {
    let ends = recoveries(of: session).map(\.began)
    let spans = Dictionary(grouping: views) { view in ends.count { $0 <= view.received } }
    return (0...ends.count).map { spans[$0] ?? [] }
  }

  private func recoveries(of session: History.SessionPath) -> [Recovery] {
    history.recoveries.filter { $0.session == session }
  }

  /// Whether a request, or an earlier one with its key, was sent before a recovery of its session.
  func precedesRecovery(_ request: Request) -> Bool {
    let first = request.key.flatMap { firstSent[$0] } ?? request.sent
    return recoveries(of: request.session).contains { first <= $0.began }
  }

  mutating func checkRecoveries(_ session: History.SessionPath, _ spans: [[View]]) {
    for (index, recovery) in recoveries(of: session).enumerated() {
      let before = spans[0...index].joined()
      let newest = before.max { $0.version < $1.version }
      let kept = before.last { $0.version == recovery.version }?.items ?? []
      let undone = Set(newest?.items ?? []).subtracting(kept)
      for view in spans[index + 1] {
        let isOnTop = view.version > newest?.version ?? 0
        let isBack = isOnTop && view.items.starts(with: kept) && undone.isDisjoint(with: view.items)
        let isAsBefore = view.items.starts(with: newest?.items ?? [])
        if isBack || !recovery.isKnown && isAsBefore { continue }
        fail(
          .recoveryGoesBack,
          "version \(view.version) does not go on from version \(recovery.version)"
        )
      }
    }
  }

  mutating func checkForks() {
    for fork in history.forks {
      let views = history.views.filter { $0.session == fork.session }
      let origin = history.views.first {
        $0.session == fork.origin && $0.version == fork.version
      }
      guard let items = origin?.items else { continue }
      if views.contains(where: { $0.version < fork.version || !$0.items.starts(with: items) }) {
        fail(.forkGoesOn, "a fork lacks what version \(fork.version) of its origin has")
      }
    }
    let origins = Dictionary(history.forks.map { ($0.session, $0.origin) }) { first, _ in first }
    let senders = Dictionary(
      history.requests.flatMap { request in request.inputs.map { ($0.number, request.session) } }
    ) { first, _ in first }
    for view in history.views {
      let family = sequence(first: view.session) { origins[$0] }
      guard let last = view.items.last, let target = senders[last] else { continue }
      if !family.contains(target) {
        fail(.forkIsApart, "\(last.value) is in another session than it was sent to")
      }
    }
  }
}
