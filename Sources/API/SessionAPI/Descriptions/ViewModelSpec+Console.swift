import FusionHTTPToolkit
import FusionStrictJSON
import FusionWebClient

extension ViewModelSpec {
  /// Returns the console, a page that has this spec as a data block, which no browser runs (HTML §4.12.1).
  ///
  /// `page` is the name of the view model's page in the front end.
  func console(page: String?) -> String {
    // In JSON `<` occurs in strings alone, where it could end the element, or begin a comment in it.
    let spec = json.text.replacing("<", with: "\\u003c")
    return String(decoding: WebClient.consolePage, as: UTF8.self)
      .replacing("{{page}}", with: page.map { #"<a href="../\#(escaped($0))">Its page</a>"# } ?? "")
      .replacing("{{name}}", with: escaped(name))
      .replacing("{{summary}}", with: escaped(summary))
      .replacing("{{spec}}", with: spec)
  }
}
