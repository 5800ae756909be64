import SQLiteSessions

extension Log {
  func report(_ event: SQLiteSessionStore.Event) {
    switch event {
    case .damagedHistory(let text):
      error(
        "old history is damaged and stays where it is: sessions go on, back them up",
        ("error", text)
      )
    case .tidyingFailed(let text):
      warning("old history cannot be dropped now: it is tried again", ("error", text))
    }
  }
}
