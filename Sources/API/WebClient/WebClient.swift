/// The client for browsers, as the program carries it.
package enum WebClient {
  /// `/uifusion.js`: one module, made by `make client` of those in `Core` and `Bindings`.
  package static let module = PackageResources.uifusion_js
  /// `/uifusion.d.ts`.
  package static let declarations = PackageResources.uifusion_d_ts
}
