import FusionHTTPMessages
import FusionSessions

/// A client's request to fork a session from one of its versions.
struct Fork {
  let session: SessionRecord
  let version: Int
  let carriesWork: Bool
}

extension Judge {
  /// Checks that a fork has the State of its origin's version, and its work and alarms exactly if they are
  /// carried.
  func forked(_ response: HTTPResponse, _ fork: Fork, _ exchange: Exchange) {
    guard let session = created(response, fork.session.model, exchange),
      let first = record(of: session)?.first, let origin = record(of: fork.session),
      let kept = ShownState(first.head.state)
    else { return }
    scheduler.coverage.add(.sessionForked)
    session.origin = Origin(kept, first.alarms)
    session.isCutOff = !fork.carriesWork || fork.session.isCutOff
    let head = first.head
    if head.version != fork.version || head.state != origin.states[fork.version] {
      scheduler.fail(.forks, "a fork of version \(fork.version) has another State")
    }
    let isRunning = !head.running.isEmpty
    if fork.carriesWork {
      if isRunning || !first.alarms.isEmpty { scheduler.coverage.add(.workCarried) }
      if origin.running[fork.version]?.contains(head.running) != true {
        scheduler.fail(.forks, "a fork carries \(head.running), which did not run then")
      }
    } else if isRunning || !first.alarms.isEmpty {
      scheduler.fail(.forks, "a fork carries \(head.running) and alarms instead of dropping them")
    }
  }

  /// Checks that a fork is refused only if its origin has ended or its version is not kept.
  func notForked(_ response: HTTPResponse, _ fork: Fork) -> Exchange.Verdict {
    guard response.problem == "unknown-session", record(of: fork.session)?.end == nil else {
      return .over
    }
    scheduler.fail(.contract, "\(fork.session.id.redacted) is reported as unknown, but is stored")
    return .refused
  }
}
