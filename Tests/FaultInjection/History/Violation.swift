/// The rules that every history must obey.
package enum Rule: String, CaseIterable, Sendable {
  /// The Inputs that are acknowledged are in the State that the acknowledgement shows.
  case acknowledgedIsApplied
  /// A newer version's State begins with an older version's State, since no model removes numbers.
  case shownIsKept
  /// No Input is applied twice.
  case appliedOnce
  /// A version has one State only.
  case oneStatePerVersion
  /// No answer shows an older version than was received before its request; a stream's versions rise.
  case versionsNeverFall
  /// The answer to a repeated key shows the current State.
  case repetitionIsCurrent
  /// A refused Input is in no State.
  case refusedIsNotApplied
  /// A refused Input has begun no effect.
  case refusedHasNoEffect
  /// An Input's effect begins at most once, however often it is sent.
  case effectBeginsOnce
  /// A stream ends at the last version.
  case streamReachesTheEnd
  /// A sender's Inputs are applied in their order, and no part of a batch without the parts before it.
  case sendersOrder
  /// A fork's State begins with the State of its origin's version.
  case forkGoesOn
  /// An Input is only in the session that it was sent to, and in later forks of that session.
  case forkIsApart
  /// A recovered session has the old State in a new, highest version, without the Inputs applied since.
  case recoveryGoesBack
  /// A living process answers every request.
  case everythingIsAnswered
  /// Every answer is one that the contract allows.
  case answersAreExpected
}

package struct Violation: Sendable, CustomStringConvertible {
  package let rule: Rule
  package let text: String

  package var description: String { "\(rule.rawValue): \(text)" }
}
