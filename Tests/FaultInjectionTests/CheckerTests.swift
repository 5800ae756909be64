import FusionFaultInjection
import Testing

/// The checker on which all suites rely: one that misses violations would let every fault pass.
struct `The checker` {
  @Test func `finds nothing in a correct history`() {
    #expect(violations(in: History.good).isEmpty)
  }

  @Test func `reports an acknowledged Input that is not applied`() {
    var history = History.good
    history.acknowledge(9, in: "/a", at: 90, version: 4, [1, 2, 3])
    #expect(violations(in: history) == [.acknowledgedIsApplied])
  }

  @Test func `lets an Input of an async pattern be acknowledged before it is applied`() {
    var history = History.good
    history.acknowledge(9, in: "/b", at: 90, version: 2, [], isSettled: false)
    #expect(violations(in: history).isEmpty)
    history.acknowledge(10, in: "/b", at: 92, version: 3, [], isSettled: true)
    #expect(violations(in: history) == [.acknowledgedIsApplied])
  }

  @Test func `reports a newer version that lacks Inputs shown before`() {
    var history = History.good
    history.show("/a", .stream(1), at: 90, version: 5, [1, 2])
    #expect(violations(in: history) == [.shownIsKept])
  }

  @Test func `reports an Input that is applied twice`() {
    var history = History.good
    history.show("/a", .stream(1), at: 90, version: 5, [1, 2, 3, 3])
    #expect(violations(in: history) == [.appliedOnce])
  }

  @Test func `reports a version with two States`() {
    var history = History.good
    history.show("/a", .answer, asked: 80, at: 90, version: 4, [1, 3, 2])
    #expect(violations(in: history).contains(.oneStatePerVersion))
  }

  @Test func `reports an answer older than one received before its request`() {
    var history = History.good
    history.show("/a", .answer, asked: 80, at: 90, version: 3, [1, 2])
    #expect(violations(in: history) == [.versionsNeverFall])
  }

  @Test func `accepts an older version in the answer to an earlier request`() {
    var history = History.good
    history.show("/a", .answer, asked: 30, at: 90, version: 3, [1, 2])
    #expect(violations(in: history).isEmpty)
  }

  @Test(arguments: [3, 4])
  func `reports a stream whose versions do not rise`(version: Int) {
    var history = History.good
    let items = version == 3 ? [1, 2] : [1, 2, 3]
    history.show("/a", .stream(1), at: 90, version: version, items)
    #expect(violations(in: history) == [.versionsNeverFall])
  }

  @Test func `reports a repetition that shows an outdated State`() {
    var history = History.good
    history.show("/a", .repetition, asked: 80, at: 90, version: 3, [1, 2])
    #expect(violations(in: history) == [.repetitionIsCurrent])
  }

  @Test func `reports a refused Input in State`() {
    var history = History.good
    history.request(9, in: "/a", at: 80, .refused("507"))
    history.show("/a", .answer, asked: 85, at: 90, version: 5, [1, 2, 3, 9])
    #expect(violations(in: history) == [.refusedIsNotApplied])
    // If the Input was sent again before the view, the second request may have applied it.
    history.request(9, in: "/a", at: 82, .unknown)
    #expect(violations(in: history).isEmpty)
  }

  @Test func `reports the effect of a refused Input`() {
    var history = History.good
    history.request(9, in: "/b", at: 80, .refused("507"))
    history.effects.append(Effect(InputNumber(9), began: 81))
    #expect(violations(in: history) == [.refusedHasNoEffect])
    // A request sent after the effect cannot be its cause.
    history.request(9, in: "/b", at: 85, .unknown)
    #expect(violations(in: history) == [.refusedHasNoEffect])
  }

  @Test func `reports an effect that begins twice`() {
    var history = History.good
    history.request(9, in: "/b", at: 80, .unknown)
    history.effects += [
      Effect(InputNumber(9), began: 81), Effect(InputNumber(9), began: 88),
    ]
    #expect(violations(in: history) == [.effectBeginsOnce])
  }

  @Test func `reports a stream that ends too early`() {
    var history = History.good
    history.streamEnds.append(StreamEnd("/a", newest: 3, version: 4))
    #expect(violations(in: history) == [.streamReachesTheEnd])
  }

  @Test func `reports Inputs of one sender out of order`() {
    var history = History.good
    for number in [8, 9] { history.request(number, in: "/a", at: 80, .unknown) }
    history.show("/a", .answer, asked: 85, at: 90, version: 5, [1, 2, 3, 9, 8])
    #expect(violations(in: history) == [.sendersOrder])
  }

  @Test func `reports a batch without its beginning`() {
    var history = History.good
    let batch = [8, 9].map { Request.Input(InputNumber($0)) }
    history.requests.append(Request("/a", batch, sent: 80, .unknown))
    history.show("/a", .answer, asked: 85, at: 90, version: 5, [1, 2, 3, 9])
    #expect(violations(in: history) == [.sendersOrder])
  }

  @Test func `reports a missing answer and an unexpected answer`() {
    var history = History.good
    history.request(8, in: "/a", at: 80, .missing)
    history.request(9, in: "/a", at: 81, .unexpected("404"))
    #expect(violations(in: history) == [.everythingIsAnswered, .answersAreExpected])
  }

  /// A history in which `/a` is recovered to version 3 from 4.
  private var recovered: History {
    var history = History.good
    history.recoveries = [Recovery("/a", to: 3, began: 50)]
    return history
  }

  @Test func `accepts a recovery to a State that was shown`() {
    var history = recovered
    history.show("/a", .answer, asked: 60, at: 61, version: 5, [1, 2])
    #expect(violations(in: history).isEmpty)
    // A recovery whose outcome is unknown may not have happened.
    history = recovered
    history.recoveries[0].isKnown = false
    history.show("/a", .answer, asked: 60, at: 61, version: 4, [1, 2, 3])
    #expect(violations(in: history).isEmpty)
  }

  @Test(arguments: [(5, [1]), (5, [1, 2, 3]), (3, [1, 2])])
  func `reports a recovery that is no new version with the old State`(version: Int, items: [Int]) {
    var history = recovered
    history.show("/a", .answer, asked: 60, at: 61, version: version, items)
    #expect(violations(in: history).contains(.recoveryGoesBack))
  }

  /// A history in which `/c` is forked from version 3 of `/a`.
  private var forked: History {
    var history = History.good
    history.patterns["/c"] = .reducer
    history.forks = [Fork("/c", of: "/a", at: 3)]
    history.request(9, in: "/c", at: 70, .unknown)
    return history
  }

  @Test func `reports a fork that does not begin with its origin's State`() {
    var history = forked
    history.show("/c", .answer, asked: 60, at: 61, version: 3, [1, 2])
    #expect(violations(in: history).isEmpty)
    history = forked
    history.show("/c", .answer, asked: 60, at: 61, version: 3, [1])
    #expect(violations(in: history) == [.forkGoesOn])
  }

  @Test func `reports an origin that contains an Input of its fork`() {
    var history = forked
    history.show("/a", .answer, asked: 80, at: 81, version: 5, [1, 2, 3, 9])
    #expect(violations(in: history) == [.forkIsApart])
  }

  private func violations(in history: History) -> Set<Rule> {
    Set(Checker.violations(in: history).map(\.rule))
  }
}

extension History {
  /// A correct history of two sessions, with a refused and an unanswered request; `/a` applies at once.
  static var good: History {
    var history = History()
    history.patterns = ["/a": .reducer, "/b": .asyncViewModel]
    history.acknowledge(1, in: "/a", at: 10, version: 2, [1])
    history.request(2, in: "/a", at: 20, .unknown)
    history.show("/a", .repetition, asked: 22, at: 24, version: 3, [1, 2])
    history.request(4, in: "/a", at: 26, .refused("507"))
    history.acknowledge(3, in: "/a", at: 30, version: 4, [1, 2, 3])
    history.show("/a", .stream(1), asked: 12, at: 14, version: 2, [1])
    history.show("/a", .stream(1), at: 36, version: 4, [1, 2, 3])
    history.streamEnds = [StreamEnd("/a", newest: 4, version: 4)]
    history.effects = [1, 2, 3].map { Effect(InputNumber($0), began: UInt64($0) * 10 + 1) }
    return history
  }

  mutating func request(
    _ number: Int,
    in session: SessionPath,
    at time: Moment,
    _ answer: Request.Answer
  ) {
    requests.append(Request(session, [.init(InputNumber(number))], sent: time, answer))
  }

  mutating func acknowledge(
    _ number: Int,
    in session: SessionPath,
    at time: Moment,
    version: Int,
    _ items: [Int],
    isSettled: Bool = true
  ) {
    show(session, .answer, asked: time, at: time + 1, version: version, items)
    let answer = Request.Answer.acknowledged(
      view: views.count - 1,
      isSettled: isSettled,
      isRepetition: false
    )
    request(number, in: session, at: time, answer)
  }

  mutating func show(
    _ session: SessionPath,
    _ source: View.Source,
    asked: Moment? = nil,
    at time: Moment,
    version: Int,
    _ items: [Int]
  ) {
    views.append(
      View(
        session,
        source,
        asked: asked,
        received: time,
        version: version,
        items: items.map(InputNumber.init)
      )
    )
  }
}
