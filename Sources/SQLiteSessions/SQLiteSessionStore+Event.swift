extension SQLiteSessionStore {
  /// What whoever runs the store should know.
  package enum Event: Sendable, Equatable {
    /// Some old history can be neither read nor dropped; told once. Sessions go on.
    case damagedHistory(String)
    /// Old history, or what ended sessions have left, cannot be dropped now; told once until it can be.
    case tidyingFailed(String)
    /// The file of an older version is too large to be changed at a start into one that shrinks.
    case keepsItsSize
  }
}
