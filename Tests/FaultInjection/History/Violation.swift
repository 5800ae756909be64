/// What must be true of every history.
package enum Rule: String, CaseIterable, Sendable {
  /// What an acknowledgement stands for is in the State that it shows.
  case acknowledgedIsApplied
  /// The State of a newer version begins with that of an older one: none of the models takes back.
  case shownIsKept
  /// No Input is applied twice.
  case appliedOnce
  /// A version stands for one State.
  case oneStatePerVersion
  /// Nobody is shown a version that is older than one that was seen before they asked; a stream's
  /// versions rise.
  case versionsNeverFall
  /// Whoever repeats a key is shown the State that is current then.
  case repetitionIsCurrent
  /// Who is told that nothing was applied, finds nothing in State.
  case refusedIsNotApplied
  /// Who is told that nothing was applied, finds no effect begun.
  case refusedHasNoEffect
  /// An Input's effect begins at most once, however often it is sent.
  case effectBeginsOnce
  /// A stream ends at the last version.
  case streamReachesTheEnd
  /// One sender's Inputs are applied in their order, and no part of a batch without what comes before it.
  case sendersOrder
  /// A process that lives answers.
  case everythingIsAnswered
  /// And as the contract has it.
  case answersAreExpected
}

package struct Violation: Sendable, CustomStringConvertible {
  package let rule: Rule
  package let text: String

  package var description: String { "\(rule.rawValue): \(text)" }
}
