extension Unicode.Scalar {
  /// Whether some reader takes the character for a command rather than text.
  ///
  /// These are control characters (terminals), line and paragraph separators (editors, JavaScript), and those that
  /// change the direction of text (Unicode's `Bidi_Control`).
  package var isTextControl: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The escape of a text control, by RFC 8259 section 7: `\u2028`.
  package var escapeOfTextControl: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension String {
  /// Returns the text with escapes such as `\u001B` for text controls, other than those to keep.
  package func escapingTextControls(except kept: [Unicode.Scalar] = []) -> String {
    let mustBeEscaped = { (scalar: Unicode.Scalar) in
      scalar.isTextControl && !kept.contains(scalar)
    }
    guard unicodeScalars.contains(where: mustBeEscaped) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if mustBeEscaped(scalar) {
        text += scalar.escapeOfTextControl
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
