import FusionHTTPToolkit
import FusionStrictJSON
import FusionTypeShapes

extension ViewModelSpec {
  /// Returns the spec for people: one page that planning, design, development and QA share.
  func markdown(at origin: String, below basePath: BasePath = .root) -> String {
    var page = Page()
    page.line("# \(name)")
    page.line(summary)
    page.line("**Input** 🟩 ㅤ **Action** ✴️ ㅤ **State** 🟦")
    page.line("## State")
    describeState(&page)
    page.line("## Inputs")
    page.line("Begin a session once, and send it as many Inputs as you like:")
    page.code("sh", beginning(at: origin, below: basePath))
    if !parameters.memberNames.isEmpty {
      let names = parameters.memberNames.map { "`\($0)`" }.joined(separator: ", ")
      page.line("Beside `viewModel` it may have `parameters`: \(names).")
    }
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

  private func beginning(at origin: String, below basePath: BasePath) -> String {
    let order: JSONTree = ["viewModel": .string(name)]
    // `Location` includes the base path, too.
    return """
      url=\(origin)\(basePath.text)
      session=\(basePath.isRoot ? "$url" : origin)$(curl -si $url/sessions -H 'Content-Type: application/json' \\
        -d \(quoted(order)) | sed -n 's/\\r$//; s/^[Ll]ocation: //p')
      """
  }

  private func describe(_ input: InputForms, _ page: inout Page) {
    page.line("### 🟩 \(input.name)")
    let situations = situations(of: input.name)
    let isVaried = Set(situations.map(\.example)).count > 1
    for situation in situations {
      page.line(headline(of: situation, withExample: isVaried))
      page.list(
        situation.actions.flatMap { action in
          [(0, "✴️ \(action.name)")] + action.changes.map { (1, "🟦 `\($0.member)`: \($0.sentence)") }
        }
      )
    }
    // If the values differ, each situation shows its own; this shows the forms of the first.
    let examples = situations.first.map { self.input.forms(of: $0.example) } ?? input.examples
    guard let shortest = examples.first else { return }
    page.line("Send " + examples.map { "`\($0.text)`" }.joined(separator: " or ") + ":")
    page.code(
      "sh",
      "curl $session/inputs -H 'Content-Type: application/json' -d \(quoted(shortest))"
    )
  }

  /// Returns a situation's sentence; in brackets, its Input and the preceding ones.
  private func headline(of situation: Situation, withExample: Bool) -> String {
    var details: [String] = withExample ? [code(situation.example)] : []
    if !situation.before.isEmpty {
      if let delay = situation.delay { details.append("\(seconds(delay)) s") }
      details.append("after \(list(situation.before))")
    }
    return details.isEmpty
      ? situation.sentence : "\(situation.sentence) (\(details.joined(separator: " ")))"
  }

  /// Returns a list of Inputs, with the number of repetitions.
  private func list(_ inputs: [JSONTree]) -> String {
    var runs: [(input: JSONTree, times: Int)] = []
    for input in inputs {
      if runs.last?.input == input {
        runs[runs.count - 1].times += 1
      } else {
        runs.append((input, 1))
      }
    }
    return runs.map { ($0.times == 1 ? "" : "\($0.times) × ") + code($0.input) }
      .joined(separator: ", ")
  }

  private func code(_ input: JSONTree) -> String { "`\(asPlanned(input).text)`" }

  /// Returns JSON quoted as one word for a shell.
  private func quoted(_ json: JSONTree) -> String {
    "'"
      + json.text.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: #"'\''"#) + "'"
  }
}

/// A Markdown text of blocks, separated by blank lines.
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
