/// The check of a history against all rules.
package struct Checker {
  let history: History
  /// The time at which each key was sent first.
  let firstSent: [String: Moment]
  private var violations: [Violation] = []

  package static func violations(in history: History) -> [Violation] {
    var checker = Checker(history: history)
    checker.checkAnswers()
    checker.checkCauses()
    checker.checkStreamEnds()
    for (session, views) in Dictionary(grouping: history.views, by: \.session) {
      let spans = checker.spans(of: session, views)
      for span in spans { checker.checkStates(session, span) }
      checker.checkRecoveries(session, spans)
      checker.checkVersions(session, views)
    }
    checker.checkForks()
    return checker.violations
  }

  private init(history: History) {
    self.history = history
    let sent = history.requests.compactMap { request in request.key.map { ($0, request.sent) } }
    firstSent = Dictionary(sent) { min($0, $1) }
  }

  mutating func fail(_ rule: Rule, _ text: String) {
    violations.append(Violation(rule: rule, text: text))
  }

  // MARK: Answers

  private mutating func checkAnswers() {
    for request in history.requests {
      switch request.answer {
      case .acknowledged(let index, let isSettled, let isRepetition):
        let appliesAtOnce = history.patterns[request.session]?.appliesAtOnce ?? true
        // A repetition does not restart work that a kill interrupted.
        guard appliesAtOnce || isSettled && !isRepetition else { continue }
        if isRepetition, precedesRecovery(request) { continue }
        let view = history.views[index]
        let items = Set(view.items)
        for input in request.inputs where input.changesState && !items.contains(input.number) {
          fail(.acknowledgedIsApplied, "\(input.number.value) is not in version \(view.version)")
        }
      case .missing: fail(.everythingIsAnswered, "\(request.numbers) got no answer")
      case .unexpected(let text): fail(.answersAreExpected, "\(request.numbers): \(text)")
      case .refused, .queued, .unknown: break
      }
    }
  }

  // MARK: Causes of Inputs in State and of effects

  /// Checks that each Input found in State or in an effect has an earlier request that was not refused.
  private mutating func checkCauses() {
    var causes: [InputNumber: Moment] = [:]
    for request in history.requests {
      if case .refused = request.answer { continue }
      for input in request.inputs {
        causes[input.number] = min(causes[input.number] ?? .max, request.sent)
      }
    }
    var begun: Set<InputNumber> = []
    for effect in history.effects {
      if !begun.insert(effect.number).inserted {
        fail(.effectBeginsOnce, "the effect of \(effect.number.value) began again")
      }
      if causes[effect.number] ?? .max > effect.began {
        fail(.refusedHasNoEffect, "the effect of \(effect.number.value) began, and all was refused")
      }
    }
    var seen: Set<InputNumber> = []
    for view in history.views.sorted(by: { $0.received < $1.received }) {
      for number in view.items where seen.insert(number).inserted {
        if causes[number] ?? .max > view.received {
          fail(
            .refusedIsNotApplied,
            "\(number.value) is in version \(view.version), and all was refused"
          )
        }
      }
    }
  }

  private mutating func checkStreamEnds() {
    for end in history.streamEnds where end.newest != end.version {
      fail(.streamReachesTheEnd, "a stream ends at \(end.newest), its session at \(end.version)")
    }
  }

  // MARK: A session's States

  private mutating func checkStates(_ session: History.SessionPath, _ views: [View]) {
    let sorted = views.sorted { $0.version < $1.version }
    for (older, newer) in zip(sorted, sorted.dropFirst()) {
      if older.version == newer.version {
        if older.items != newer.items {
          fail(.oneStatePerVersion, "version \(older.version) has two States")
        }
      } else if !newer.items.starts(with: older.items) {
        fail(.shownIsKept, "version \(newer.version) lacks what \(older.version) has")
      }
    }
    // Each version begins with the one before, as checked above, so the newest stands for all.
    guard let newest = sorted.last else { return }
    let applied = Set(newest.items)
    if applied.count != newest.items.count {
      fail(.appliedOnce, "version \(newest.version) has an Input twice")
    }
    for (sender, numbers) in Dictionary(grouping: newest.items, by: \.sender)
    where zip(numbers, numbers.dropFirst()).contains(where: { $0 > $1 }) {
      fail(.sendersOrder, "version \(newest.version) has Inputs of \(sender) out of order")
    }
    guard history.patterns[session]?.appliesAtOnce != false else { return }
    for request in history.requests where request.session == session && request.inputs.count > 1 {
      if precedesRecovery(request) { continue }
      let isApplied = request.inputs.filter(\.changesState).map { applied.contains($0.number) }
      if zip(isApplied, isApplied.dropFirst()).contains(where: { !$0 && $1 }) {
        fail(.sendersOrder, "of the batch \(request.numbers) the beginning is missing")
      }
    }
  }

  // MARK: A session's versions

  private mutating func checkVersions(_ session: History.SessionPath, _ views: [View]) {
    let received = views.sorted { $0.received < $1.received }
    var newest: [Int] = []
    for view in received { newest.append(max(newest.last ?? 0, view.version)) }
    for view in views {
      guard let asked = view.asked else { continue }
      let before = received.partition { $0.received >= asked }
      guard before > 0, view.version < newest[before - 1] else { continue }
      fail(
        view.source == .repetition ? .repetitionIsCurrent : .versionsNeverFall,
        "version \(view.version) is shown after \(newest[before - 1])"
      )
    }
    for (source, views) in Dictionary(grouping: received, by: \.source) {
      guard case .stream(let number) = source else { continue }
      for (older, newer) in zip(views, views.dropFirst()) where newer.version <= older.version {
        fail(
          .versionsNeverFall,
          "stream \(number) shows \(newer.version) after \(older.version)"
        )
      }
    }
  }
}

extension Request {
  fileprivate var numbers: [Int] { inputs.map(\.number.value) }
}

extension [View] {
  /// Returns the index of the first element that meets a condition, which all following elements meet too.
  fileprivate func partition(by isBehind: (View) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
