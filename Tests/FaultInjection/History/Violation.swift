/// The rules that every history must obey.
package enum Rule: String, CaseIterable, Sendable {
  /// The Inputs that are acknowledged are in the State that the acknowledgement shows.
  case acknowledgedIsApplied
  /// The State of a newer version begins with that of an older one, since no model removes numbers.
  case shownIsKept
  /// No Input is applied twice.
  case appliedOnce
  /// A version stands for one State.
  case oneStatePerVersion
  /// No client is shown an older version than was seen before its request; a stream's
  /// versions rise.
  case versionsNeverFall
  /// The repetition of a key shows the State that is current then.
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
  /// A fork has what its origin's version has, for as long as it lives.
  case forkGoesOn
  /// An Input is in the session that it was sent to, and in later forks of that alone.
  case forkIsApart
  /// A session that is taken back has the State of then in a version above all, and of what came since nothing.
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
