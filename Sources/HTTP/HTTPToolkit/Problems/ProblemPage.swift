/// What a type of problems means and what to do about it: what is found at its `type`.
///
/// The pages are in the files beside this one; a test compares their titles and statuses with the
/// problems themselves.
struct ProblemPage: Sendable {
  /// Several where they depend on what was asked for.
  let statuses: [Int]
  let name: String
  let title: String
  let meaning: String
  let advice: String

  init(_ statuses: [Int], _ name: String, _ title: String, means meaning: String, advice: String) {
    self.statuses = statuses
    self.name = name
    self.title = title
    self.meaning = meaning
    self.advice = advice
  }

  static let all = requests + sessions + inputs + clients + nodes + service

  static let named = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  private var statusText: String { statuses.map(String.init).joined(separator: " or ") }

  /// For a terminal.
  var text: String {
    """
    \(title)
    \(statusText) /problems/\(name)

    What it means: \(meaning)

    What to do: \(advice)

    """
  }

  /// For a browser.
  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(escaped(title))</title>
    </head>
    <body>
      <h1>\(escaped(title))</h1>
      <p><code>\(statusText) /problems/\(name)</code></p>
      <h2>What it means</h2>
      <p>\(escaped(meaning))</p>
      <h2>What to do</h2>
      <p>\(escaped(advice))</p>
    </body>
    </html>

    """
  }
}

private func escaped(_ text: String) -> String {
  text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
}
