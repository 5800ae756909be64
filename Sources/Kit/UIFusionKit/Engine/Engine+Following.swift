/// Follows other sessions, and processes their States.
extension Engine {
  /// Updates the followed sessions to those that the view model asks for; new ones are followed after the
  /// commit.
  func updateFollowing() {
    guard alarms?.following != nil, let runner else { return }
    let ids = runner.following.map(\.id)
    let before = alarms?.following?.foreignRecord
    for (id, generation) in alarms?.following?.follow(ids, isForeign: isCausedByForeigner) ?? [] {
      turn.work.append(.follow(id, generation))
    }
    let record = alarms?.following?.foreignRecord
    guard record?.action != before?.action else { return }
    note(.foreignFollowings, record.map { .set($0) } ?? .cancelled)
  }

  /// Follows a session that a committed turn asked for.
  func follow(_ id: FollowingID, _ generation: Int) {
    guard alarms?.following?.isCurrent(id, generation) == true else { return }
    let task = Task.detached(executorPreference: pool) {
      [weak self, follow = committer.followSession, isForeign = alarms?.following?.isForeign(id)] in
      await follow(id.address, isForeign != false) { [weak self] view in
        await self?.keep(view, of: id, generation)
      }
    }
    alarms?.following?.setTask(task, of: id)
  }

  private func keep(_ view: FollowedView, of id: FollowingID, _ generation: Int) {
    guard alarms?.following?.isCurrent(id, generation) == true else { return }
    keep(view, of: id)
  }

  private func keep(_ view: FollowedView, of id: FollowingID) {
    // One batch takes the newest view, however many arrived.
    guard alarms?.following?.keep(view, of: id) == true else { return }
    _ = mailbox.addUncounted(InputBatch(following: id))
  }

  /// Returns the action for the newest view of a followed session; nil if there is no view, or no action for
  /// it.
  func takeFollowedAction(_ id: FollowingID) -> (any Sendable)? {
    guard let (view, shown) = alarms?.following?.takeView(of: id),
      let following = runner?.following.first(where: { $0.id == id })
    else { return nil }
    do {
      let value: any Sendable
      switch view {
      case .ended:
        isForeign = alarms?.following?.isForeign(id) == true
        return following.ended
      case .value(let given): value = given
      case .json(let bytes):
        guard let read = try committer.actionCoding?.read(following.type, bytes) else { return nil }
        value = read
      }
      isForeign = alarms?.following?.isForeign(id) == true
      if watch != nil { note(.followed(id.address)) }
      alarms?.following?.setShown(value, of: id)
      return following.action(value, shown)
    } catch {
      committer.report(.followed("\(following.type)", reason: "\(error)"))
      return nil
    }
  }

  // MARK: For tests and scenarios

  /// Performs an action that a followed session's State has led to in another run, after all waiting Inputs.
  package nonisolated func perform(_ recorded: any Sendable) {
    guard mailbox.addUncounted(InputBatch(recorded: recorded)) else { return }
    wake()
  }

  /// The addresses of the sessions that are followed.
  package var followed: Set<SessionAddress> { alarms?.following?.addresses ?? [] }

  /// Shows a view to the followings of a session with its type; returns whether there are any.
  package func show(_ view: FollowedView, of address: SessionAddress) -> Bool {
    let ids = alarms?.following?.ids(of: address) ?? []
    var isFollowed = false
    for id in ids {
      if case .value(let value) = view, ObjectIdentifier(type(of: value)) != id.type { continue }
      keep(view, of: id)
      isFollowed = true
    }
    return isFollowed
  }
}
