/// A fault in the store or the view models that the simulation has to find.
package enum PlantedFault: String, CaseIterable, Sendable {
  /// The store reports a change as committed before it is.
  case earlyAcknowledgement
  /// The store returns a session without its idempotency keys.
  case forgottenKeys
  /// The store reports a change in doubt as refused.
  case deniedDoubt
  /// The store commits the change during which a process dies without its keys.
  case tornKeys
  /// The store writes a whole State with the previous version.
  case misnumberedHeads
  /// The store commits only the first of several entries.
  case tornBatches
  /// The store returns a session without the names of running work.
  case forgottenRunning
  /// The store returns a session without its alarms.
  case forgottenAlarms
  /// The store keeps alarms that were cancelled or have rung.
  case lastingAlarms
  /// The store returns a session without its messages.
  case forgottenMessages
  /// The store returns a session without the numbers of its senders' last messages.
  case forgottenSenders
  /// The store returns a session's messages in another order.
  case reversedMessages
  /// The archive returns each version with the State of the version before.
  case misreadPast
  /// The store loses a fork after its first read.
  case forgottenForks
  /// The store keeps work in a fork that was to drop it.
  case undroppedWork
  /// A recovery resumes the work that ran at the recovered version.
  case repeatedWork
  /// A view model does nothing when it is restored, so that its timers are lost.
  case ignoredRestoring
  /// A view model that follows another one ignores some of its States.
  case missedStates
  /// A receiver counts as settled once it has taken a message.
  case hastySettling
  /// The store returns a session without its replies.
  case forgottenReplies
  /// A view model's effect retains the view model, and continues after the session's end.
  case endlessEffects
}
