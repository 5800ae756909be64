import FusionSessions
import UIFusionKit

extension Log {
  /// Warns of stored sessions whose view models the catalog does not have.
  func report(_ inventory: StoreInventory, hosted catalog: ViewModelCatalog) {
    let names = Set(catalog.viewModels.map(\.name))
    let unhosted = inventory.sessions.filter { !names.contains($0.viewModel) }
    for (name, sessions) in Dictionary(grouping: unhosted, by: \.viewModel).sorted(by: {
      $0.key < $1.key
    }) {
      warning(
        "stored sessions of a view model that is not hosted: they answer 410 until they expire",
        ("viewModel", name),
        ("sessions", "\(sessions.count)")
      )
    }
  }

  /// Logs an event of the session host.
  func report(_ event: SessionEvent) {
    switch event {
    case .created(let id, let viewModel, let sender):
      emit(
        .debug,
        "session created",
        [("session", id.redacted), ("viewModel", viewModel)]
          + field("identity", sender.flatMap { $0.isEmpty ? nil : $0 })
      )
    case .forked(let id, let origin, let sender):
      // Somebody has a copy of all that the session holds.
      emit(
        .info,
        "session forked",
        [("session", id.redacted), ("from", origin.redacted)]
          + field("identity", sender.flatMap { $0.isEmpty ? nil : $0 })
      )
    case .ended(let id, let end, let sender):
      // Somebody's session or a shared one is gone: the operator may be asked by whom.
      emit(
        sender == nil ? .debug : .info,
        "session ended",
        [("session", id.redacted), ("reason", end.rawValue)] + field("identity", sender)
      )
    case .invalid(let id, .tooLarge(let limit)):
      warning(
        "turn rolled back: its State is larger than --max-state",
        ("session", id.redacted),
        ("max-state", "\(limit)")
      )
    case .invalid(let id, .notWritable(let member, let reason)):
      self.error(
        "turn rolled back: its State cannot be written as JSON",
        ("session", id.redacted),
        ("member", member ?? ""),
        ("error", reason)
      )
    case .invalid(let id, .tooManyAlarms), .invalid(let id, .alarmsTooLarge):
      warning(
        "alarm or message refused: the session has 1,000 of them, or 256 KiB",
        ("session", id.redacted)
      )
    case .invalid(let id, .alarm(let name, let reason)):
      self.error(
        "an alarm or a message cannot be written, or read: the turn that asks for it is rolled back,"
          + " and one that is stored stays so",
        ("session", id.redacted),
        ("alarm", name),
        ("error", reason)
      )
    case .invalid(let id, .followed(let type, let reason)):
      warning(
        "the State of a followed session cannot be read",
        ("session", id.redacted),
        ("as", type),
        ("error", reason)
      )
    case .slowTurn(let id, let viewModel, let slow):
      warning(
        "a turn took long: its session, and others, wait meanwhile",
        ("session", id.redacted),
        ("viewModel", viewModel),
        ("input", slow.name),
        ("duration", "\(slow.duration)")
      )
    case .rang(let id, let late):
      debug("alarm rang", ("session", id.redacted), ("late", "\(late)"))
    case .message(let id, .refused, let receiver):
      emit(
        .warning,
        "a message was refused, and is dropped: its receiver has ended, or does not accept it",
        [("sender", id.redacted)] + field("receiver", receiver?.redacted)
      )
    case .message(let id, let step, let receiver):
      emit(
        .debug,
        "message \(step.rawValue)",
        [("sender", id.redacted)] + field("receiver", receiver?.redacted)
      )
    case .restored(let id, let viewModel):
      debug("session restored", ("session", id.redacted), ("viewModel", viewModel))
    case .wokeInterrupted(let count, let failed):
      info("interrupted sessions woken", ("sessions", "\(count)"), ("failed", "\(failed)"))
    case .interruptedUnknown(let error):
      self.error(
        "cannot list the interrupted sessions: each goes on at its next request",
        ("error", error.text)
      )
    case .alarmsUnknown(let error):
      self.error(
        "cannot list the alarms: no session expires until they can be read; stop, and repair the database",
        ("error", error.text)
      )
    case .unreadable(let id, let viewModel, let error):
      self.error(
        "a stored session cannot be read by its view model; it stays stored",
        ("session", id.redacted),
        ("viewModel", viewModel),
        ("error", "\(error)")
      )
    case .changed(let viewModel, let changes):
      warning(
        "stored States have other members than today's State",
        ("viewModel", viewModel),
        ("added", changes.added.joined(separator: ", ")),
        ("dropped", changes.dropped.joined(separator: ", ")),
        ("renamed", changes.renamed.joined(separator: ", "))
      )
    case .dropped(let id, let viewModel, let members):
      warning(
        "stored State read without members that its type no longer has",
        ("session", id.redacted),
        ("viewModel", viewModel),
        ("members", members.joined(separator: ", "))
      )
    case .damaged(let id, let error):
      self.error(
        "a stored session is damaged; it stays stored",
        ("session", id.redacted),
        ("error", error.text)
      )
    case .setAside(let id, let viewModel):
      self.error(
        "a session has ended the process twice and is set aside: it waits for uifusion sessions resume,"
          + " or for another build",
        ("session", id.redacted),
        ("viewModel", viewModel)
      )
    case .resumed(let id): info("session resumed", ("session", id.redacted))
    case .lost(let id, let error):
      warning("commit failed; session rolled back", ("session", id.redacted), ("error", error.text))
    case .storeFailed(let error): warning("the store fails", ("error", error.text))
    case .storeHangs: warning("the store has not answered for 5 seconds")
    case .storeRecovered: info("the store works again")
    case .putToSleep(let count): debug("idle sessions put to sleep", ("sessions", "\(count)"))
    case .calendarSet(let step):
      warning("the system clock was set: stored times are adjusted", ("by", "\(step)"))
    case .gapDistrusted(let gap):
      warning(
        "no session was used for longer than --session-ttl: the service was down, or the clock is wrong;"
          + " all sessions are kept for another --session-ttl",
        ("gap", "\(gap)")
      )
    case .joined(let node):
      info("joined the nodes of this store", ("node", "\(node.number)"), ("name", node.name))
    case .leaseSilenced:
      warning("lease not renewed by the store: sessions are not served until it is")
    case .leaseRestored: info("lease renewed: sessions are served again")
    case .leaseLost:
      warning("lease expired: this node's sessions may be on other nodes, and are read again")
    case .acquired(let id): debug("session acquired", ("session", id.redacted))
    case .fenced(let id):
      warning("session released: another node may own it", ("session", id.redacted))
    }
  }
}
