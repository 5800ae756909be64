/// The media type of a file, by the extension of its name.
package struct ContentType: Sendable, Equatable {
  /// The value of `Content-Type`.
  package let text: String

  package static let html = ContentType("text/html; charset=utf-8")
  package static let css = ContentType("text/css; charset=utf-8")
  package static let javaScript = ContentType("text/javascript; charset=utf-8")
  static let svg = ContentType("image/svg+xml")

  /// The type of TypeScript declarations: tools go by the file's name, and browsers show plain text.
  ///
  /// (`.ts` alone is registered as video: video/MP2T.)
  package static let declarations = ContentType("text/plain; charset=utf-8")

  init(of name: String) {
    if name.lowercased().hasSuffix(".d.ts") {
      self = .declarations
    } else {
      let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
      self = Self.byEnding[ending] ?? ContentType("application/octet-stream")
    }
  }

  private init(_ text: String) {
    self.text = text
  }

  /// Whether to compress files of this type: they are not already compressed.
  var isText: Bool {
    text.hasPrefix("text/") || text.hasSuffix("json") || text.hasSuffix("xml")
      || Self.compressible.contains(text)
  }

  /// Whether the type belongs to a page's appearance: a style sheet or an image.
  var isOfStyle: Bool { self == .css || text.hasPrefix("image/") }

  /// Types that are not compressed already, though their names do not say so.
  private static let compressible: Set = [
    "application/wasm", "application/yaml", "application/toml", "font/ttf", "font/otf",
    "font/collection", "application/vnd.ms-fontobject",
  ]

  /// The types by the endings of files, as registered with IANA; texts are in UTF-8.
  private static let byEnding = Dictionary(
    uniqueKeysWithValues: types.split(separator: "\n").flatMap { line in
      let words = line.split(separator: " ").map(String.init)
      let charset = words[0].hasPrefix("text/") ? "; charset=utf-8" : ""
      return words.dropFirst().map { ($0, ContentType(words[0] + charset)) }
    }
  )

  private static let types = """
    text/html html htm
    text/css css
    text/javascript js mjs
    text/plain txt text log
    text/markdown md markdown
    text/csv csv
    text/tab-separated-values tsv
    text/calendar ics
    text/vcard vcf
    text/vtt vtt
    application/json json map
    application/manifest+json webmanifest
    application/ld+json jsonld
    application/geo+json geojson
    application/yaml yaml yml
    application/toml toml
    application/xml xml xsd
    application/xhtml+xml xhtml xht
    application/xslt+xml xsl xslt
    application/rss+xml rss
    application/atom+xml atom
    application/gpx+xml gpx
    application/vnd.google-earth.kml+xml kml
    image/svg+xml svg
    image/png png
    image/apng apng
    image/jpeg jpg jpeg jfif
    image/gif gif
    image/webp webp
    image/avif avif
    image/heic heic
    image/jxl jxl
    image/bmp bmp
    image/tiff tif tiff
    image/vnd.microsoft.icon ico cur
    font/woff2 woff2
    font/woff woff
    font/ttf ttf
    font/otf otf
    font/collection ttc
    application/vnd.ms-fontobject eot
    audio/mpeg mp3
    audio/mp4 m4a
    audio/aac aac
    audio/ogg oga ogg opus
    audio/wav wav
    audio/flac flac
    audio/webm weba
    audio/midi mid midi
    video/mp4 mp4 m4v
    video/webm webm
    video/ogg ogv
    video/quicktime mov
    application/vnd.apple.mpegurl m3u8
    application/dash+xml mpd
    model/gltf-binary glb
    model/gltf+json gltf
    model/vnd.usdz+zip usdz
    model/stl stl
    application/wasm wasm
    application/pdf pdf
    application/rtf rtf
    application/epub+zip epub
    application/zip zip
    application/gzip gz tgz
    application/zstd zst
    application/x-tar tar
    application/x-7z-compressed 7z
    application/msword doc
    application/vnd.ms-excel xls
    application/vnd.ms-powerpoint ppt
    application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
    application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
    application/vnd.oasis.opendocument.text odt
    application/vnd.oasis.opendocument.spreadsheet ods
    application/vnd.oasis.opendocument.presentation odp
    """
}
