// UIKit's controls, as far as the samples use them; only the main actor may touch them.

@MainActor final class Label {
  var text = ""
}

@MainActor final class Button {
  var isEnabled = true
  var showsActivityIndicator = false
  private var actions: [@MainActor () -> Void] = []

  func addAction(_ action: @escaping @MainActor () -> Void) {
    actions.append(action)
  }

  /// Adds an action without retaining its owner, like UIFusionKit's extension of a button.
  func addAction<Owner: AnyObject>(
    _ owner: Owner,
    _ action: @escaping @MainActor (_ owner: Owner) -> Void
  ) {
    addAction { [weak owner] in
      if let owner { action(owner) }
    }
  }

  func tap() {
    guard isEnabled else { return }
    for action in actions { action() }
  }
}
