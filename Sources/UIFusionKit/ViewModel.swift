/// What the four patterns share: Inputs come in, Actions follow from them, State is what is seen.
///
/// A view model is written with one of the patterns that refine this protocol, and never conforms to
/// it directly. It supplies functions and a State; mailbox, versions and tasks are the engine's.
///
/// An engine creates the view model inside its own isolation and never lets it out. A view model
/// is therefore plain Swift: a struct, or a class that is not `Sendable`, without locks.
public protocol ViewModel: SendableMetatype {
  /// What a client may ask for.
  associatedtype Input: Sendable
  /// What is done about it.
  associatedtype Action: Sendable
  /// What a client sees: compared after each turn, published when it differs.
  associatedtype State: Equatable & Sendable

  /// This view model at work. Its pattern supplies it.
  static func turns(of model: Self, reporting: Reporting<Self>) -> Turns
}

/// Whether an Input waits for those before it, and whether anybody waits for it.
public enum InputPolicy: Sendable {
  /// Waits until the Inputs before it are done, and keeps those behind it waiting.
  case inOrder
  /// Runs beside others.
  case overlapping
  /// Runs beside others, for as long as it likes: it does not count as unsettled.
  case background
}
