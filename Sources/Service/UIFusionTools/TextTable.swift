/// Columns for people, each as wide as its widest cell.
struct TextTable {
  let titles: [String]
  let rows: [[String]]

  /// Lines without blanks at their ends.
  var text: String {
    let lines = [titles] + rows
    let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()) + "\n"
    }
    .joined()
  }
}
