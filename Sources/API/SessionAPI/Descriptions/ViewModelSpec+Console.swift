import FusionHTTPToolkit
import FusionStrictJSON
import FusionWebClient

extension ViewModelSpec {
  /// Returns the console: a page with this spec as a data block, which browsers do not run (HTML §4.12.1).
  ///
  /// `json` is the spec for programs, if it has what is denied to the sender.
  /// `page` is the name of the view model's page in the front end; `travels` tells whether the service shows
  /// stored versions, and `isWatched` whether it shows the traces of sessions.
  func console(_ json: JSONTree? = nil, page: String?, travels: Bool, isWatched: Bool) -> String {
    // In JSON `<` occurs only in strings, where it could end the element, or begin a comment in it.
    let spec = (json ?? self.json).text.replacing("<", with: "\\u003c")
    return String(decoding: WebClient.consolePage, as: UTF8.self)
      .replacing("{{page}}", with: page.map { #"<a href="../\#(escaped($0))">Its page</a>"# } ?? "")
      .replacing("{{work}}", with: isWatched ? work : "")
      .replacing(
        "{{travel}}",
        with: travels ? travel(#"<div id="travel"></div>"#) : isWatched ? travel(inMemory) : ""
      )
      .replacing("{{name}}", with: escaped(name))
      .replacing("{{summary}}", with: escaped(summary))
      .replacing("{{spec}}", with: spec)
  }
}

/// The element for the running work, in the console.
private let work = #"<div id="work" class="work"></div>"#

/// The element for the stored versions, in the console.
private func travel(_ content: String) -> String {
  """
  <section aria-labelledby="versions" data-ignore class="wide">
    <h2 id="versions">Stored versions</h2>
    \(content)
  </section>
  """
}

private let inMemory =
  "<p>No versions are stored of sessions in memory. Start with <code>--data FOLDER</code> to keep them.</p>"
