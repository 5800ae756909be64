import StrictJSON
import TypeShapes

extension ViewModelSpec {
  /// The spec for people: one page that planning, design, development and QA share.
  func markdown(at origin: String) -> String {
    var page = Page()
    page.line("# \(name)")
    page.line(summary)
    page.line("**Input** 🟩 ㅤ **Action** ✴️ ㅤ **State** 🟦")
    page.line("## State")
    describeState(&page)
    page.line("## Inputs")
    page.line("Begin a session once, and send it as many Inputs as you like:")
    page.code("sh", beginning(at: origin))
    for input in input.inputs { describe(input, &page) }
    if input.inputs.isEmpty { page.line("Its type does not tell which Inputs there are.") }
    return page.text
  }

  private func describeState(_ page: inout Page) {
    guard let firstState else {
      page.line("🟦 " + state.memberNames.map { "`\($0)`" }.joined(separator: ", "))
      return
    }
    page.line("A session begins with:")
    page.list(firstState.members.map { (0, "🟦 `\($0.name)`: `\($0.value.text)`") })
  }

  private func beginning(at origin: String) -> String {
    let order: JSONTree = ["viewModel": .string(name)]
    return """
      url=\(origin)
      session=$url$(curl -si $url/sessions -H 'Content-Type: application/json' \\
        -d \(quoted(order)) | sed -n 's/\\r$//; s/^Location: //p')
      """
  }

  private func describe(_ input: InputForms, _ page: inout Page) {
    page.line("### 🟩 \(input.name)")
    let situations = situations(of: input.name)
    for situation in situations {
      let before = situation.before.map { "`\(shortest($0).text)`" }.joined(separator: ", ")
      page.line(before.isEmpty ? situation.sentence : "\(situation.sentence) (after \(before))")
      page.list(
        situation.actions.flatMap { action in
          [(0, "✴️ \(action.name)")] + action.changes.map { (1, "🟦 `\($0.member)`: \($0.sentence)") }
        }
      )
    }
    let examples = examples(of: input)
    guard let shortest = examples.first else { return }
    page.line("Send " + examples.map { "`\($0.text)`" }.joined(separator: " or ") + ":")
    page.code(
      "sh",
      "curl $session/inputs -H 'Content-Type: application/json' -d \(quoted(shortest))"
    )
  }

  /// JSON as one word of a shell.
  private func quoted(_ json: JSONTree) -> String {
    "'"
      + json.text.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: #"'\''"#) + "'"
  }
}

/// A text of Markdown blocks, with a blank line between them.
private struct Page {
  private(set) var text = ""

  mutating func line(_ line: String) {
    text += text.isEmpty ? "\(line)\n" : "\n\(line)\n"
  }

  mutating func list(_ items: [(level: Int, text: String)]) {
    guard !items.isEmpty else { return }
    line(
      items.map { String(repeating: "    ", count: $0.level) + "- " + $0.text }
        .joined(separator: "\n")
    )
  }

  mutating func code(_ language: String, _ code: String) {
    line("```\(language)\n\(code)\n```")
  }
}
