/// A rule that the simulation holds the service to.
package enum Rule: String, CaseIterable, Sendable {
  /// An acknowledged Input is stored, with the State that was shown; of a refused one nothing is.
  case acknowledged
  /// The Inputs of one key are applied once.
  case keys
  /// A repetition is answered as the first time, with the snapshot that is current then.
  case repetitions
  /// Versions never fall, and no version stands for two States.
  case versions
  /// A stream's versions grow, and it ends at the newest.
  case streams
  /// A stream skips no version in which a Pulse was assigned.
  case pulses
  /// Both hold where a session is read from the store anew while streams are open.
  case streamsAfterRestoring
  /// The stored State, read back, equals the live one.
  case stored
  /// Every request is answered once, also where faults have come in between.
  case answered
  /// An answer is one that the contract knows.
  case contract
  /// Nothing of a session that is over runs, answers or stays in memory.
  case ended
  /// No effect begins before the State is stored that led to it.
  case workStart
  /// No other work begins before the commit that says so: effects of Inputs that leave State as it is, and
  /// asynchronous `perform` and `reduce`.
  case workStartWithoutState
  /// The work of an Input begins once, and not at all where its client is told that nothing was applied.
  case workOnce
  /// Whoever follows a session is there, and nobody else is for ever.
  case presence
  /// A view model that comes back from the store goes on with what it was doing.
  case restored
  /// A child that is gone gets nothing of its work, and each that came leaves once.
  case children
  /// An alarm rings once that was set and not cancelled, soon after its time and not before.
  case alarms
  /// A message arrives once, behind those before it from the same sender, unless its receiver is over.
  case messages
  /// A follower's last State of another session is the newest, behind none that was newer, and it is told the end alone
  /// of one that is over.
  case following
  /// A fork goes on from the State of its origin's version, with the work and alarms that it was to carry; the origin
  /// notices nothing.
  case forks
  /// A session that is taken back has the State of then as a new version on top, and nothing from before is lost.
  case recovery
  /// A session whose State was migrated is shown, and not said to be over until its new State is stored.
  case shownAfterMigration
  /// No session expires before its time.
  case lifetime
  /// A process that ends leaves the time of each last use by the calendar as it is then, also where that
  /// was set anew since the start.
  case calendar
  /// Inputs are processed in the order in which their requests came, and a batch's back to back.
  case order
  /// Requests that find their session asleep, and wait until it was read from the store, are answered, too.
  case orderAfterWaking
  /// `If-Match` is met at the version that it names, and at no other.
  case condition
  /// A node passes a request on to one that has the session, and what was passed on no further.
  case forwarding
  /// `settled` is true only where nothing is left of what the Inputs started.
  case settled

  /// The rules that the service does not keep yet; each goes from here with what mends it.
  package static let notKeptYet: Set<Rule> = []
}
