import FusionSessions
import Synchronization
import UIFusionKit

/// The pages of view models, with the State that a new session begins with.
///
/// Each State is made when somebody first asks for its page, and is the same from then on: a tag stands for
/// it, and a page without a session has it only until the client has one.
final class FirstPages: Sendable {
  private struct Page {
    /// The file's own tag, without the State.
    let source: String
    let file: StaticFile
  }

  private let dependencies: Dependencies
  private let snapshots = Mutex<[String: EmbeddedSnapshot?]>([:])
  /// By their paths, of which there are no more than files.
  private let pages = Mutex<[String: Page]>([:])

  init(_ dependencies: Dependencies) {
    self.dependencies = dependencies
  }

  /// A file as the page of a view model; nil where there is no State to put in: it takes parameters that
  /// have to be given, or is too large.
  func page(_ file: StaticFile, at path: String, of viewModel: HostedViewModel) -> StaticFile? {
    let known = pages.withLock { $0[path] }
    if let known, known.source == file.tag { return known.file }
    guard let snapshot = snapshot(of: viewModel), let bytes = file.page(with: snapshot) else {
      return nil
    }
    // Outside the lock: at worst it is made twice.
    let made = Page(source: file.tag, file: StaticFile(contentType: file.contentType, bytes))
    pages.withLock { $0[path] = made }
    return made.file
  }

  private func snapshot(of viewModel: HostedViewModel) -> EmbeddedSnapshot? {
    if let known = snapshots.withLock({ $0[viewModel.name] }) { return known }
    // Outside the lock, since a view model's own code runs.
    let made = viewModel.firstState(dependencies).flatMap {
      EmbeddedSnapshot(of: viewModel.name, state: $0)
    }
    return snapshots.withLock { snapshots in
      // The first one stays: it may have been sent.
      if let known = snapshots[viewModel.name] { return known }
      snapshots[viewModel.name] = .some(made)
      return made
    }
  }
}
