/// How a tool prints.
enum OutputFormat: String, Sendable, CaseIterable {
  case text, json
}
