import Synchronization
import UIFusionKit

/// A session's view model at work: its engine, and its journal where there is a store.
///
/// When the store fails, the instance is discarded, and another begins with what the store has.
final class Instance: Sendable {
  let engine: Engine
  let journal: Journal?
  /// The State that the engine published last, seen or not.
  private let latest: Latest
  private let feed: Feed

  private final class Latest: Sendable {
    let snapshot = Mutex<Snapshot?>(nil)
  }

  /// - Throws: what is wrong with the parameters, or with the State to go on from.
  init(
    _ viewModel: HostedViewModel,
    _ start: HostedViewModel.Start,
    feed: Feed,
    journal: Journal?,
    dependencies: Dependencies,
    mailboxLimit: Int,
    failed: @escaping @Sendable (any Error) -> Void
  ) throws {
    let latest = Latest()
    self.latest = latest
    self.feed = feed
    self.journal = journal
    let format = viewModel.format
    var traced: (@Sendable ([UInt8]) -> Void)?
    if let journal {
      if case .stored(_, _, let stored, _) = start {
        journal.trace(Trace.restored(from: stored, as: format))
      }
      traced = { journal.trace($0) }
    }
    engine = try viewModel.open(
      start,
      HostedViewModel.Opening(
        mailboxLimit: mailboxLimit,
        dependencies: dependencies,
        gate: journal,
        settled: { isSettled in
          guard let journal else { return feed.settle(isSettled) }
          journal.pass { feed.settle(isSettled) }
        },
        published: { state, pulses, version in
          let snapshot = latest.snapshot.withLock { snapshot in
            let next = Snapshot(version: version, state: state, pulses: pulses, after: snapshot)
            snapshot = next
            return next
          }
          guard let journal else { return feed.publish(snapshot) }
          journal.record(snapshot, format: format)
          journal.pass { feed.publish(snapshot) }
        },
        traced: traced,
        failed: failed
      )
    )
  }

  /// Hands Inputs over; see ``Session/submit(_:if:keyed:progress:)``.
  ///
  /// Each answer is passed on once it may be seen.
  func submit(
    _ viewModel: HostedViewModel,
    _ body: [UInt8],
    if condition: (@Sendable (_ version: Int) -> Bool)?,
    keyed: KeyedInputs?,
    progress: @escaping @Sendable (Session.Progress) -> Void
  ) throws -> Submission {
    guard let journal else {
      return engine.submit(
        try viewModel.read(body, condition) { [self] in took($0, nil, progress) }
      )
    }
    let course = JournaledDelivery(journal, keyed)
    let begin: @Sendable (Int) -> Bool = { version in
      guard condition?(version) != false else { return false }
      course.begin()
      return true
    }
    return engine.submit(
      try viewModel.read(body, begin) { [self] in took($0, course, progress) }
    )
  }

  /// Called on the engine.
  private func took(
    _ step: Delivery.Progress,
    _ course: JournaledDelivery?,
    _ progress: @escaping @Sendable (Session.Progress) -> Void
  ) {
    guard let snapshot = latest.snapshot.withLock({ $0 }) else { return }
    switch step {
    case .taken(let isSettled):
      course?.end(snapshot, isSettled)
      pass(.taken(snapshot, isSettled: isSettled), course, progress)
    case .settled: pass(.settled(snapshot), course, progress)
    case .refused: pass(.refused(snapshot), course, progress)
    case .closed:
      course?.end()
      progress(journal?.failure.map { .failed(course?.failure($0) ?? $0) } ?? .ended)
    case .abandoned:
      guard let course, journal?.failure != nil else { return progress(.abandoned) }
      // Else the answer that was to tell of it has failed, and tells that.
      if course.isTakenSeen { progress(.interrupted) }
    }
  }

  private func pass(
    _ step: Session.Progress,
    _ course: JournaledDelivery?,
    _ progress: @escaping @Sendable (Session.Progress) -> Void
  ) {
    guard let journal, let course else { return progress(step) }
    journal.pass(
      .answer(
        stored: {
          if case .taken = step { course.takenSeen() }
          progress(step)
        },
        failed: { error in
          guard case .settled = step else { return progress(.failed(course.failure(error))) }
          // Of what was taken up before, it is known.
          if course.isTakenSeen { progress(.interrupted) }
        }
      )
    )
  }
}
