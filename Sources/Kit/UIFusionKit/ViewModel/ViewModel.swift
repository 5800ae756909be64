/// A view model: Inputs come in, Actions follow from them, and clients see the State.
///
/// Write a view model with one of the patterns that refine this protocol: ``ViewModelProtocol``,
/// ``AsyncViewModel``, ``ReducerViewModel`` or ``AsyncReactor``. Never conform to this protocol
/// directly. A view model supplies functions and a State; the engine owns mailbox, versions and tasks.
///
/// The engine creates the view model inside its own isolation and never lets it out. A view model
/// is therefore plain Swift: a struct, or a class that is not `Sendable`, without locks.
public protocol ViewModel: SendableMetatype {
  /// A request that a client may send.
  associatedtype Input: Sendable
  /// A step that follows from an Input or an effect.
  associatedtype Action: Sendable
  /// The value that clients see: compared after each turn, and published when it differs.
  associatedtype State: Equatable & Sendable

  /// Returns the actions that a new view model begins with, such as a first load or a timer; none by default.
  ///
  /// The engine calls this once, before any Input; the function must not change anything. A restored view
  /// model gets ``restored(_:)`` instead. For a view model that is created only to describe its first State,
  /// the actions are requested but not performed.
  func started() -> [Action]

  /// Returns the actions that a view model resumes with after a restart; none by default.
  ///
  /// The engine calls this once, before any Input. State is the last stored one, but no effect is running,
  /// and a suspended `perform` was cut off. Restart the work that should run, and clear the flags of work
  /// that should not.
  func restored(_ interrupted: Interrupted) -> [Action]

  /// Returns the actions of ``restored(_:)``; a variant with a label. Implement only one of the two.
  func restored(interrupted: Interrupted) -> [Action]

  /// The format number of State; 1 by default.
  ///
  /// Raise it when a change to State makes stored States unreadable, and implement
  /// ``migrate(_:from:)``.
  static var stateFormat: Int { get }

  /// The members of stored States that State no longer has, and whose values may be lost; none by default.
  ///
  /// A stored State with any other unknown member is refused. A nested member is written as
  /// `profile.nickname`, a member of the elements of a list or a dictionary as `cards.*.color`.
  ///
  /// ```swift
  /// static var droppedMembers: [String] { ["color"] }
  /// ```
  static var droppedMembers: [String] { get }

  /// The new names of members of stored States; none by default.
  ///
  /// The key is the member's place and old name, written as in ``droppedMembers``; the value is its new name at that
  /// place. Where a stored State has a member of the new name, too, the old one stays unknown.
  ///
  /// ```swift
  /// static var renamedMembers: [String: String] { ["title": "name", "cards.*.note": "text"] }
  /// ```
  static var renamedMembers: [String: String] { get }

  /// Returns a State of the current format, made from one that was stored in an older format.
  ///
  /// - Throws: any error if the State cannot be read; the session is then refused and stays stored
  ///   unchanged.
  static func migrate(_ stored: StoredState, from format: Int) throws -> State

  /// Returns the runner of a view model's turns. Each pattern supplies it.
  static func turnRunner(of model: Self, in context: EngineContext<Self>) -> AnyTurnRunner
}

extension ViewModel {
  /// Returns no action.
  public func started() -> [Action] { [] }

  /// Returns no action.
  public func restored(_ interrupted: Interrupted) -> [Action] { [] }

  /// Returns the actions of ``restored(_:)``.
  public func restored(interrupted: Interrupted) -> [Action] { restored(interrupted) }

  /// The first format: 1.
  public static var stateFormat: Int { 1 }

  /// No member.
  public static var droppedMembers: [String] { [] }

  /// No member.
  public static var renamedMembers: [String: String] { [:] }

  /// Refuses all other formats.
  ///
  /// - Throws: ``StoredState/UnknownFormat``, always.
  public static func migrate(_ stored: StoredState, from format: Int) throws -> State {
    throw StoredState.UnknownFormat(format: format, current: stateFormat)
  }
}

/// Whether an Input may run beside others, and whether it counts as unsettled.
public enum InputPolicy: Sendable {
  /// Waits until the previous Inputs are done, and delays later ones.
  case inOrder
  /// Runs beside other Inputs.
  case overlapping
  /// Runs beside other Inputs for any length of time, and does not count as unsettled.
  case background
}
