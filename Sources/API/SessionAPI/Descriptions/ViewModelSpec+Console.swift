import FusionHTTPToolkit
import FusionStrictJSON
import FusionWebClient

extension ViewModelSpec {
  /// Returns the console: a page with this spec as a data block, which browsers do not run (HTML §4.12.1).
  ///
  /// `json` is the spec for programs, if it has what is denied to the sender.
  /// `page` is the name of the view model's page in the front end; `isStored` tells whether the service shows
  /// stored versions, and `isWatched` whether it shows the traces of sessions.
  func console(_ json: JSONTree? = nil, page: String?, isStored: Bool, isWatched: Bool) -> String {
    // In JSON `<` occurs only in strings, where it could end the element, or begin a comment in it.
    let spec = (json ?? self.json).text.replacing("<", with: "\\u003c")
    return String(decoding: WebClient.consolePage, as: UTF8.self)
      .replacing("{{page}}", with: page.map { #"<a href="../\#(escaped($0))">Its page</a>"# } ?? "")
      .replacing("{{work}}", with: isWatched ? work : "")
      .replacing("{{past}}", with: past(isStored: isStored, isWatched: isWatched))
      .replacing("{{name}}", with: escaped(name))
      .replacing("{{summary}}", with: escaped(summary))
      .replacing("{{spec}}", with: spec)
  }
}

/// The element for the running work, in the console.
private let work = #"<div id="work" class="work"></div>"#

/// The element for the State of earlier versions, in the console.
private func past(isStored: Bool, isWatched: Bool) -> String {
  let hint = isStored || !isWatched ? "" : inMemory
  return #"<div id="past"\#(isStored ? " data-stored" : "")>\#(hint)</div>"#
}

private let inMemory = """
  <p class="hint">No versions are stored of sessions in memory. Start with <code>--data FOLDER</code> to keep them.</p>
  """
