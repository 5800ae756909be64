import FusionHTTPMessages
import FusionSessions

/// Checks of the time after which an idle session expires.
extension Judge {
  /// The tolerance for times, which are stored in milliseconds, and rounded more than once.
  private static let precision = Duration.milliseconds(5)
  /// The smallest step of the calendar that the service corrects.
  private static let leastStep = Duration.milliseconds(1_005)

  /// Checks that sessions that a process is about to expire were unused for the whole idle time.
  func expiring(_ ids: [SessionID], by service: Service) {
    for session in world.sessions where ids.contains(session.id) {
      judgeEnd(of: session, by: service)
      session.expiry = (service.number, scheduler.now)
      guard world.isAskingForExpiring else { continue }
      scheduler.after(.milliseconds(1)) { [world] in
        _ = world.ask(.get, session.path, for: .show(session)) { _, _ in }
      }
    }
  }

  /// Checks that expired sessions were not used after the decision to expire them.
  func expired(_ ids: [SessionID]) {
    for session in world.sessions where ids.contains(session.id) {
      guard let expiry = session.expiry, let use = session.use, use.process == expiry.process,
        use.time > expiry.time
      else { continue }
      scheduler.fail(.lifetime, "\(session.id.redacted) expires, though it was used meanwhile")
    }
  }

  private func judgeEnd(of session: SessionRecord, by service: Service) {
    let name = session.id.redacted
    if session.streams > 0 {
      scheduler.fail(.lifetime, "\(name) expires while a stream is open")
    }
    let open = world.exchanges.values.filter {
      $0.service === service && $0.purpose.session === session
    }
    if let exchange = open.min(by: { $0.number < $1.number }) {
      scheduler.fail(.lifetime, "\(name) expires while #\(exchange.number) waits for its answer")
    }
    let left = service.probes.left.keys.filter { world.requests[$0]?.session === session }
    if let number = left.min() {
      scheduler.fail(.lifetime, "\(name) expires while the work of \(number) goes on")
    }
    if world.plan.isWakingInterrupted, service.idle(session.id) != nil,
      !service.probes.restored.contains(session.id),
      world.store.stored(session.id)?.isAtWork == true
    {
      scheduler.fail(.lifetime, "\(name) expires with interrupted work")
    }
    let idle: Duration
    if let use = session.use, use.process == service.number {
      idle = scheduler.now - use.time
    } else {
      // The idle time found at the process's start, by the calendar.
      scheduler.coverage.add(.expiredAfterRestart)
      guard let found = service.idle(session.id) else { return }
      idle = found
    }
    if idle + Self.precision < world.plan.idleTime {
      scheduler.fail(.lifetime, "\(name) expires after \(idle)")
    }
  }

  /// Checks that the store knows each session's last use after a process has ended in order.
  func stopped(_ service: Service) {
    for session in world.sessions {
      guard let use = session.use, use.process == service.number,
        let stored = world.store.stored(session.id)
      else { continue }
      let used = world.wallTime - (scheduler.now - use.time)
      let lack = Duration.milliseconds(used.milliseconds - stored.used.milliseconds)
      let lag = service.clockOffsets.map { world.clockOffset - $0 }.filter { $0 < Self.leastStep }
        .max()
      if lack > Self.precision + max(.zero, lag ?? .zero) {
        scheduler.fail(
          service.clockOffsets.count > 1 ? .calendar : .lifetime,
          "the stored last use of \(session.id.redacted) is \(lack) too early"
        )
      }
    }
  }
}
