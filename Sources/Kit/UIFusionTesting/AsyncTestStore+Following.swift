public import UIFusionKit

/// Followed sessions: the test stands in for them and shows their States.
extension AsyncTestStore where Model: SessionFollowing {
  /// The sessions that the view model follows.
  public var followed: Set<SessionAddress> {
    get async {
      await clock.idle()
      return await engine.followed
    }
  }

  /// Shows a State of a followed session; the view model then gets its action.
  ///
  /// ```swift
  /// await store.show(Board.State(title: "Move"), of: .id("b"))
  /// await store.receive(.boardChanged(Board.State(title: "Move"))) { $0.title = "Move" }
  /// await store.showEnd(of: .id("b"))
  /// await store.receive(.boardClosed) { $0.title = nil }
  /// ```
  ///
  /// Records an issue if the view model does not follow the session, or follows it as another type. A State
  /// that equals the previous one causes no action.
  public func show<Value: Codable & Equatable & Sendable>(
    _ state: Value,
    of address: SessionAddress,
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column
  ) async {
    let place = IssueLocation(fileID, filePath, line, column)
    await show(.value(state), of: address, as: " as \(Value.self)", place)
  }

  /// Shows the end of a followed session.
  public func showEnd(
    of address: SessionAddress,
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column
  ) async {
    await show(.ended, of: address, as: "", IssueLocation(fileID, filePath, line, column))
  }

  private func show(
    _ view: FollowedView,
    of address: SessionAddress,
    as type: String,
    _ place: IssueLocation
  ) async {
    await clock.idle()
    requireNothingLeft(before: "a State of \(address)", at: place)
    if await !engine.show(view, of: address) {
      let advice = type.isEmpty ? "" : " Show a value of the type that its Following names."
      issues.record("\(Model.self) does not follow \(address)\(type).\(advice)", place)
    }
    await clock.idle()
  }
}
