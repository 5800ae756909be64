import FusionStrictJSON
import FusionWebClient

/// The files of a client of one view model: a module, and its types for TypeScript.
struct TypeScriptClient {
  let name: String
  private let types: TypeScriptTypes
  private let digest: String

  /// Creates the client of a view model, from the service's description of it.
  init(_ description: JSONValue) {
    name = description["name"]?.string ?? ""
    digest = description["digest"]?.string ?? ""
    types = TypeScriptTypes(description)
  }

  private var opening: String { "open\(types.prefix)" }

  private var head: String {
    "// Written by `uifusion client typescript --view-model \(name)`; its types have the digest \(digest).\n\n"
  }

  /// The types with those of the session and the function that opens one.
  var declarations: String {
    head + types.text + String(decoding: WebClient.sessionDeclarations, as: UTF8.self) + """

      /** Opens a session of the service at an address; resolves once its State is known. */
      export declare function \(opening)(
        at: string, options?: Options<\(types.prefix)Parameters>,
      ): Promise<Session<\(types.prefix)State, \(types.prefix)Input>>;

      """
  }

  /// The module, which needs nothing else.
  var module: String {
    head + String(decoding: WebClient.session, as: UTF8.self) + """

      export const \(opening) = (at, options) =>
        open(\(JSONTree.string(name).text), '\(digest)', at, options);

      """
  }

  /// The types for a page, whose client is that of the service.
  var pageDeclarations: String {
    let (name, prefix) = (JSONTree.string(name).text, types.prefix)
    return head + types.text + """
      declare module '/uifusion.js' {
        interface ViewModels {
          \(name): { state: \(prefix)State; input: \(prefix)Input; parameters: \(prefix)Parameters };
        }
      }

      """
  }
}
