/// A rule that the simulation enforces.
package enum Rule: String, CaseIterable, Sendable {
  /// An acknowledged Input is stored, with the State that was shown; a refused Input is not stored.
  case acknowledged
  /// The Inputs of one key are applied once.
  case keys
  /// A repetition gets the first answer again, with the current snapshot.
  case repetitions
  /// Versions never decrease, and each version has one State.
  case versions
  /// A stream's versions increase up to the newest.
  case streams
  /// A stream skips no version in which a Pulse was assigned.
  case pulses
  /// The rules for streams hold even if a session is read from the store while streams are open.
  case streamsAfterRestoring
  /// The stored State equals the live one.
  case stored
  /// Every request is answered once, even if faults happen in between.
  case answered
  /// Every answer conforms to the contract.
  case contract
  /// An ended session neither runs, answers nor stays in memory.
  case ended
  /// No effect begins before the State that led to it is stored.
  case workStart
  /// Effects of Inputs that leave State unchanged, and asynchronous `perform` and `reduce`, do not begin
  /// before the commit that records them.
  case workStartWithoutState
  /// The work of an Input begins once, or never if its client is told that nothing was applied.
  case workOnce
  /// Every follower of a session is present, and no other visitor stays present forever.
  case presence
  /// A view model restored from the store continues its work.
  case restored
  /// A removed child receives nothing from its work, and each child leaves only once.
  case children
  /// An alarm that is set and not cancelled rings once, soon after its time and not before.
  case alarms
  /// A message arrives once, after the earlier ones of its sender, unless its receiver has ended.
  case messages
  /// A follower sees another session's States in order up to the newest, and is told the end only of ended
  /// sessions.
  case following
  /// A fork continues the State of its origin's version, with the work and alarms that it is to carry; the
  /// origin is not affected.
  case forks
  /// A recovered session has the earlier State as a new version on top, and loses nothing else.
  case recovery
  /// A session whose State was migrated is shown, and not reported as ended before its new State is stored.
  case shownAfterMigration
  /// No session expires early.
  case lifetime
  /// A process that ends in order stores the time of each last use by the calendar at that moment, even if
  /// the calendar was set since the start.
  case calendar
  /// Inputs are processed in the order of their requests, and those of a batch without interruption.
  case order
  /// Requests that wait for a sleeping session are processed in order, too.
  case orderAfterWaking
  /// `If-Match` succeeds at exactly the version that it names.
  case condition
  /// A node forwards a request to the session's owner, and no forwarded request any further.
  case forwarding
  /// `settled` is true only if no work of the Inputs is left.
  case settled

  /// The rules that the service does not fulfil yet; the change that fulfils one removes it here.
  package static let notKeptYet: Set<Rule> = []
}
