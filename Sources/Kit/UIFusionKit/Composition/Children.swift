/// View models within another: one for each element of a collection in the parent's State.
///
/// ```swift
/// enum Action { case rows(id: Int, action: Row.Action) }
///
/// let rows: Children<Table, Int, Row>
///
/// rows = Children(\.rows, Action.rows) { Row() }
///
/// case .rows(let id, let action): return rows[id].reduce(&state, action)
/// ```
///
/// The effects of an element end when it is removed. All elements share one view model.
public struct Children<Parent: ReducerViewModel, ID: Hashable & Sendable, Model: ReducerViewModel>:
  Sendable
{
  let child: @Sendable (ID) -> Child<Parent, Model>
  let ids: @Sendable (Parent.State) -> [ID]

  /// Creates the children in a collection.
  ///
  /// - Parameters:
  ///   - list: the collection of the children's States in the parent's.
  ///   - action: the parent's case that carries an id and an action of that child.
  ///   - dismissed: returns the parent's action for ``AsyncEffect/dismiss`` of a child.
  ///   - make: creates the view model of all children.
  public init<List: ChildCollection<ID, Model.State>>(
    _ list: any WritableKeyPath<Parent.State, List> & Sendable,
    _ action: @escaping @Sendable (ID, Model.Action) -> Parent.Action,
    dismissed: (@Sendable (ID) -> Parent.Action)? = nil,
    _ make: @escaping () -> Model
  ) {
    let model = ChildModel(make)
    child = { id in
      Child(
        ChildAccessor(of: id, in: list),
        list,
        { action(id, $0) },
        dismissed?(id),
        model,
        id: EffectID(id),
        membership: { $0[keyPath: list].membership }
      )
    }
    ids = { $0[keyPath: list].ids }
  }

  /// The child with an id, whether it is present or not.
  public subscript(id: ID) -> Child<Parent, Model> { child(id) }

  /// Returns the parent's actions that all children begin with, for the parent's `started`.
  public func started(in state: Parent.State) -> [Parent.Action] {
    ids(state).flatMap { child($0).started(in: state) }
  }

  /// Returns the parent's actions that resume all children, for the parent's `restored`.
  public func restored(_ interrupted: Interrupted, in state: Parent.State) -> [Parent.Action] {
    ids(state).flatMap { child($0).restored(interrupted, in: state) }
  }
}
