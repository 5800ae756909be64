/// A fault that the simulation has to find, in what stands around the host: its store, or its view models.
package enum PlantedFault: String, CaseIterable, Sendable {
  /// The store says that a change stands before it does: there is no gate.
  case earlyAcknowledgement
  /// The store forgets the keys when a session is read.
  case forgottenKeys
  /// The store says that nothing was done where nobody knows.
  case deniedDoubt
  /// The store takes a change that a process died on, without the keys in it: they were not one change.
  case tornKeys
  /// The store writes a State in whole with the version before.
  case misnumberedHeads
  /// The store takes no more than the first of several entries.
  case tornBatches
  /// The store forgets what was running when a session is read.
  case forgottenRunning
  /// The store forgets the alarms when a session is read.
  case forgottenAlarms
  /// The store keeps alarms that were cancelled, or have rung.
  case lastingAlarms
  /// The store forgets the messages of a session that is read.
  case forgottenMessages
  /// The store forgets whose messages a session had, when it is read.
  case forgottenSenders
  /// The store reads the messages of a session in another order.
  case reversedMessages
  /// The archive gives each version the State of the one before.
  case misreadPast
  /// The store forgets a fork that was read once.
  case forgottenForks
  /// The store stores work in a fork that was to be dropped.
  case undroppedWork
  /// A recovery lets work go on that ran at the version of then.
  case repeatedWork
  /// A view model does nothing when it is restored: its timers are lost.
  case ignoredRestoring
  /// A view model that follows another passes over some of what it is shown.
  case missedStates
  /// A view model's effect keeps it, and goes on after its session is over.
  case endlessEffects
}
