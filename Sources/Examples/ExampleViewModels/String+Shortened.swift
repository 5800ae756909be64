extension String {
  /// Returns the text's beginning of so many Unicode scalars.
  func shortened(to count: Int) -> String { String(unicodeScalars.prefix(count)) }
}
