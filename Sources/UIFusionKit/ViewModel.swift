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
  static func turns(
    of model: Self,
    publish: @escaping (_ state: State, _ version: Int) -> Void
  ) -> any Turns
}
