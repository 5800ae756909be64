import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON

/// A record of what clients have learned about the sessions of several nodes, which has to be consistent.
final class Ledger: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  struct Account {
    var isCourier = false
    /// The State that was shown as each version.
    var states: [Int: [UInt8]] = [:]
    /// The newest version that was shown.
    var seen = 0
    /// The numbers of acknowledged Inputs.
    var acknowledged: Set<Int> = []
    /// The numbers of Inputs whose clients were told that nothing was applied.
    var refused: Set<Int> = []
    /// The past from which the session was forked or recovered, or nil.
    var origin: Origin?
    var isTakenBack = false
    /// The numbers of Inputs that a recovery has undone.
    var undone: Set<Int> = []
  }

  private(set) var accounts: [SessionID: Account] = [:]
  private let scheduler: Scheduler
  private let memory: SharedMemory
  /// The number of times that each request was forwarded, by its id.
  private var forwardings: [String: Int] = [:]

  init(_ scheduler: Scheduler, _ memory: SharedMemory) {
    self.scheduler = scheduler
    self.memory = memory
  }

  func open(_ id: SessionID, isCourier: Bool) { accounts[id] = Account(isCourier: isCourier) }

  var sessions: [SessionID] { accounts.keys.sorted { $0.description < $1.description } }

  /// The sessions that pass numbers on.
  var couriers: [SessionID] { sessions.filter { accounts[$0]?.isCourier == true } }

  func seen(of id: SessionID) -> Int { accounts[id]?.seen ?? 0 }

  /// Checks and records a version that is shown to a client that asked when `floor` had been seen.
  func see(_ version: Int, _ state: [UInt8]?, of id: SessionID, after floor: Int, in what: String) {
    guard var account = accounts[id] else { return }
    if version < floor {
      scheduler.fail(.versions, "\(what) shows version \(version) after \(floor) was seen")
    }
    if let state {
      if let known = account.states[version], known != state {
        scheduler.fail(.versions, "\(what) shows another State as version \(version)")
      }
      account.states[version] = state
    }
    account.seen = max(account.seen, version)
    accounts[id] = account
  }

  /// Returns the newest State that was shown.
  func newest(of id: SessionID) -> ShownState? {
    guard let account = accounts[id], let state = account.states[account.seen] else { return nil }
    return try? JSONDocument(state).root.decode(ShownState.self)
  }

  func acknowledge(_ number: Int, of id: SessionID) {
    // The answer may have been in flight when the session was recovered.
    guard accounts[id]?.undone.contains(number) == false else { return }
    accounts[id]?.acknowledged.insert(number)
  }

  // MARK: Pasts

  func origin(of id: SessionID) -> Origin? { accounts[id]?.origin }

  func isTakenBack(_ id: String) -> Bool {
    accounts.contains { $0.value.isTakenBack && "\($0.key)" == id }
  }

  /// Returns a version that was shown, and its State.
  func anyVersion(of id: SessionID) -> (version: Int, state: [UInt8])? {
    let states = accounts[id]?.states.sorted { $0.key < $1.key } ?? []
    guard !states.isEmpty else { return nil }
    let (version, state) = states[scheduler.below(states.count)]
    return (version, state)
  }

  /// Records a session that is forked from a version of another, with the other's Inputs.
  func fork(_ id: SessionID, of other: SessionID, at version: Int) {
    guard let origin = accounts[other], let state = origin.states[version],
      let kept = ShownState(state)
    else { return }
    var account = Account(isCourier: origin.isCourier)
    account.states[version] = state
    account.acknowledged = Set(kept.items)
    account.origin = Origin(kept, memory.stored(id)?.alarms ?? [])
    accounts[id] = account
  }

  /// Records that a session is recovered to an earlier State.
  func takeBack(
    _ id: SessionID,
    to kept: ShownState,
    from before: ShownState,
    _ alarms: [StoredAlarm]
  ) {
    let undone = Set(before.items).subtracting(kept.items)
    let whole = whole(before, of: id)
    accounts[id]?.origin = Origin(kept, before: whole, alarms)
    accounts[id]?.isTakenBack = true
    accounts[id]?.undone.formUnion(undone)
    accounts[id]?.acknowledged.subtract(undone)
  }

  /// Returns a State with all messages that the session has sent and received, including undone ones.
  func whole(_ state: ShownState, of id: SessionID) -> ShownState {
    accounts[id]?.origin?.whole(state) ?? state
  }

  func refuse(_ number: Int, of id: SessionID) {
    accounts[id]?.refused.insert(number)
  }

  /// Checks that a request is forwarded only once per attempt.
  func forwarded(_ request: HTTPRequest) {
    guard request.isFromNode == false else {
      return scheduler.fail(.forwarding, "a node forwards a forwarded request")
    }
    scheduler.coverage.add(.requestForwarded)
    guard let id = request.headers["X-Trial"] else { return }
    forwardings[id, default: 0] += 1
    if forwardings[id] ?? 0 > 200 {
      scheduler.fail(.forwarding, "request \(id) is forwarded endlessly")
    }
  }

  /// Checks that the store has each acknowledged Input once, and no refused one.
  func judge(_ items: [Int], of id: SessionID) {
    guard let account = accounts[id] else { return }
    if Set(items).count < items.count { scheduler.fail(.keys, "applied twice: \(items)") }
    let missing = account.acknowledged.subtracting(items)
    if !missing.isEmpty {
      scheduler.fail(.acknowledged, "acknowledged and lost: \(missing.sorted()) of \(items)")
    }
    let denied = account.refused.intersection(items)
    if !denied.isEmpty {
      scheduler.fail(.acknowledged, "refused and applied: \(denied.sorted())")
    }
  }
}
