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
    case .keepsItsSize:
      info(
        "the file of sessions was made by an older version and is too large to be changed at a start:"
          + " it does not shrink; a folder that `uifusion sessions backup` writes does"
      )
    }
  }
}
