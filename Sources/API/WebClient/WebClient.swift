import CFusionWebClient

/// The client for browsers, embedded in the program.
package enum WebClient {
  /// `/uifusion.js`: one module, which `make client` builds from `main.js`.
  package static let module = bytes(fusion_uifusion_js, fusion_uifusion_js_count)
  /// `/uifusion-more.js`: built from `More/main.js`, for features that only some pages need, or that are not
  /// needed at once.
  package static let moreModule = bytes(fusion_uifusion_more_js, fusion_uifusion_more_js_count)
  /// `/uifusion-login.js`: built from those in `Login`, for a page whose login has ended.
  package static let loginModule = bytes(fusion_uifusion_login_js, fusion_uifusion_login_js_count)
  /// The digest of the first two modules, with which ``module`` requests ``moreModule``.
  package static let build = String(decoding: moreModule[3..<15], as: UTF8.self)
  /// `/uifusion-gestures.js`: built from those in `Gestures`, for pages that name it.
  package static let gesturesModule = bytes(
    fusion_uifusion_gestures_js,
    fusion_uifusion_gestures_js_count
  )
  /// The marks of a page that needs ``moreModule`` together with ``module``, as in `Page/marks.js`.
  package static let marksOfMore = [
    "data-": [
      "address", "confirm", "drag", "drop", "error", "focus", "include", "keys", "local", "open",
      "pulse", "scope", "sort", "transition",
    ],
    "| ": ["currency", "date", "datetime", "list", "number", "percent", "relative", "time"],
    " type=\"": ["date", "datetime-local", "month", "time"],
  ]
  /// The page of a view model's console, with `{{…}}` as placeholders, and its module, built from those in
  /// `Console`.
  package static let consolePage = bytes(fusion_console_html, fusion_console_html_count)
  package static let consoleModule = bytes(fusion_console_js, fusion_console_js_count)
  package static let consoleStyle = bytes(fusion_console_css, fusion_console_css_count)
  /// `/uifusion.d.ts`.
  package static let declarations = bytes(fusion_uifusion_d_ts, fusion_uifusion_d_ts_count)

  /// The client of a session without a page, and its types: a module that a typed client begins with.
  package static let session = bytes(fusion_session_js, fusion_session_js_count)
  package static let sessionDeclarations = bytes(fusion_session_d_ts, fusion_session_d_ts_count)

  private static func bytes(_ start: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
    // Guard: the array of `count` bytes is a constant of the program.
    unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }
}
