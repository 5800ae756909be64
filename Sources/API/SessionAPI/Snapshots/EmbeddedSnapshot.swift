import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import Synchronization
import UIFusionKit

/// A State that is embedded in a page, where the client finds it without a request.
struct EmbeddedSnapshot {
  /// The maximum size of an embedded State: a larger one would delay the rest of the page.
  private static let limit = 256 << 10

  /// The script element: a data block that browsers do not run (HTML §4.12.1).
  let element: [UInt8]

  /// Embeds a session's snapshot; returns nil if the session is over, or its State is too large.
  init?(of session: Session) {
    let view = session.feed.current
    guard view.end == nil, let snapshot = view.snapshot, snapshot.shownSize <= Self.limit else {
      return nil
    }
    self.init(json: snapshot.description(of: session, isSettled: view.isSettled))
  }

  /// Embeds the first State of a view model's new session; returns nil if it is too large.
  init?(of viewModel: String, state: [UInt8]) {
    guard state.count <= Self.limit else { return nil }
    var json = Array("{\"viewModel\":".utf8)
    json.appendLiteral(viewModel)
    json.append(utf8: ",\"state\":")
    json += state
    json.append(UInt8(ascii: "}"))
    self.init(json: json)
  }

  private init(json: [UInt8]) {
    var element = Array("<script type=\"application/json\" id=\"uifusion-snapshot\">".utf8)
    element.reserveCapacity(element.count + json.count + 64)
    // In JSON `<` occurs only in strings, where it could end the element, or begin a comment in it.
    for byte in json {
      if byte == UInt8(ascii: "<") { element.append(utf8: "\\u003c") } else { element.append(byte) }
    }
    element.append(utf8: "</script>\n")
    self.element = element
  }
}

/// The pages of view models, with the first State of a new session.
///
/// Each State is created on the first request for its page and stays the same: the page's entity tag covers
/// it, and the client replaces it with its session's State.
final class PrerenderedPages: Sendable {
  private struct Page {
    /// The tag of the file without the State.
    let source: String
    let file: StaticFile
  }

  private let dependencies: Dependencies
  private let snapshots = Mutex<[String: EmbeddedSnapshot?]>([:])
  /// The pages by their paths; at most as many as there are files.
  private let pages = Mutex<[String: Page]>([:])

  init(_ dependencies: Dependencies) {
    self.dependencies = dependencies
  }

  /// Returns a file as the page of a view model; nil if the view model has required parameters, or its State
  /// is too large.
  func page(_ file: StaticFile, at path: String, of viewModel: HostedViewModel) -> StaticFile? {
    let known = pages.withLock { $0[path] }
    if let known, known.source == file.tag { return known.file }
    guard let snapshot = snapshot(of: viewModel), let bytes = file.page(inserting: snapshot.element)
    else {
      return nil
    }
    // Outside the lock: at worst the page is created twice.
    let made = Page(source: file.tag, file: StaticFile(contentType: file.contentType, bytes))
    pages.withLock { $0[path] = made }
    return made.file
  }

  private func snapshot(of viewModel: HostedViewModel) -> EmbeddedSnapshot? {
    if let known = snapshots.withLock({ $0[viewModel.name] }) { return known }
    // Outside the lock, since a view model's own code runs.
    let made = viewModel.firstState(dependencies).flatMap {
      EmbeddedSnapshot(of: viewModel.name, state: $0.bytes)
    }
    return snapshots.withLock { snapshots in
      // The first one is kept, since it may have been sent.
      if let known = snapshots[viewModel.name] { return known }
      snapshots[viewModel.name] = .some(made)
      return made
    }
  }
}
