/// The four patterns, by the names under which their models are hosted.
package enum Pattern: String, CaseIterable, Sendable {
  case viewModel = "view-model"
  case reducer
  case asyncViewModel = "async-view-model"
  case reactor

  /// Whether an Input is applied whole before it is acknowledged.
  ///
  /// The others may wait in between: what is acknowledged is then what the acknowledgement shows.
  package var appliesAtOnce: Bool { self == .viewModel || self == .reducer }

  /// Whether an Input has an effect outside.
  package var hasEffects: Bool { self != .viewModel }
}
