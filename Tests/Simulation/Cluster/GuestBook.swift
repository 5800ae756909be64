import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// A session that observes its visitors, and visitors that connect, disconnect and leave.
final class GuestBook: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let world: ClusterWorld
  private var session: SessionID?
  private var guests: [Watcher] = []

  init(_ world: ClusterWorld) {
    self.world = world
  }

  private var scheduler: Scheduler { world.scheduler }

  func begin(within chaos: Duration) {
    Task.detached(executorPreference: world.outside) { [self] in
      while session == nil {
        let body = #"{"viewModel":"guests"}"#
        let response = await world.answer(world.anyNode(), .post, "/sessions", body)
        session = response?.headers["Location"].flatMap { SessionID(String($0.dropFirst(10))) }
        await world.pause(upTo: .seconds(1))
      }
      guard let session else { return }
      for number in 1...2 + scheduler.below(3) {
        let guest = Watcher(world, session, user: "\(number)")
        guests.append(guest)
        scheduler.after(scheduler.duration(upTo: chaos)) { guest.connect() }
        guard scheduler.chance(40) else { continue }
        scheduler.after(scheduler.duration(upTo: chaos)) { guest.leave() }
      }
    }
  }

  /// Checks that exactly the visitors that have not left are present.
  func check() {
    guard let session else { return }
    let expected = Set(guests.filter { !$0.hasLeft }.compactMap(\.user))
    var present: [String] = []
    for _ in 0..<20 {
      var isAnswered = false
      world.ask(world.anyNode(), .get, "/sessions/\(session)") { response in
        isAnswered = true
        let state = try? response.flatMap { try JSONDocument($0.bytes).root["state"] }
        let shown = try? state?.decode(ShownState.self)
        present = (shown?.present ?? []).map(\.id)
      }
      _ = scheduler.run(atMost: .seconds(30)) { isAnswered }
      if Set(present) == expected, present.count == expected.count {
        if !expected.isEmpty { scheduler.coverage.add(.visitorsTold) }
        return
      }
      scheduler.run(for: .seconds(1))
    }
    scheduler.fail(.presence, "\(present) are present instead of \(expected.sorted())")
  }
}
