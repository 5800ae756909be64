/// The client for browsers, as the program carries it.
package enum WebClient {
  /// `/uifusion.js`: one module, made by `make client` of those in `Core` and `Bindings`.
  package static let module = PackageResources.uifusion_js
  /// The page of a view model's console, with `{{…}}` for what differs, and its module, made of those in `Console`.
  package static let consolePage = PackageResources.console_html
  package static let consoleModule = PackageResources.console_js
  package static let consoleStyle = PackageResources.console_css
  /// `/uifusion.d.ts`.
  package static let declarations = PackageResources.uifusion_d_ts
}
