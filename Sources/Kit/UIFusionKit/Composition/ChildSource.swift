/// A stored property of a parent's view model that holds a child or children.
///
/// After a restart only the names of alarms tell which children have set them. The children are looked up in
/// the parent, so that their alarms are cancelled when they leave.
protocol ChildSource {
  /// Calls `body` with the links to each child that is in State and has alarms, and to each such descendant;
  /// `links` lead to the parent.
  func findChildren(
    in state: Any,
    below links: [any ChildLink],
    _ hasAlarms: (_ scope: String) -> Bool,
    _ body: ([any ChildLink]) -> Void
  )
}

/// Finds the children of a view model that have alarms, at any depth.
func findChildren(
  of model: some ReducerViewModel,
  below links: [any ChildLink] = [],
  _ hasAlarms: (_ scope: String) -> Bool,
  _ body: ([any ChildLink]) -> Void
) {
  for case let source as any ChildSource in Mirror(reflecting: model).children.map(\.value) {
    source.findChildren(in: model.state, below: links, hasAlarms, body)
  }
}

extension Child: ChildSource {
  func findChildren(
    in state: Any,
    below links: [any ChildLink],
    _ hasAlarms: (_ scope: String) -> Bool,
    _ body: ([any ChildLink]) -> Void
  ) {
    guard let state = state as? Parent.State, let inner = accessor.read(state) else { return }
    var link = self
    if let identity = identify(inner) { link.slot.identity = identity }
    let links = links + [link]
    guard hasAlarms(links.map(\.slot.name).joined(separator: "/")) else { return }
    body(links)
    model.takeOver(inner)
    UIFusionKit.findChildren(of: model.value, below: links, hasAlarms, body)
  }
}

extension Children: ChildSource {
  func findChildren(
    in state: Any,
    below links: [any ChildLink],
    _ hasAlarms: (_ scope: String) -> Bool,
    _ body: ([any ChildLink]) -> Void
  ) {
    guard let parent = state as? Parent.State else { return }
    for id in ids(parent) { child(id).findChildren(in: state, below: links, hasAlarms, body) }
  }
}
