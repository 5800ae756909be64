extension NodeDecoder {
  /// The nodes of an object's member names, in order.
  func forEachName(_ body: (Int) throws -> Void) rethrows {
    var name = index + 1
    let end = Int(node.link)
    while name < end {
      try body(name)
      name = document.indexAfter(name + 1)
    }
  }

  /// The first name that is no key, nil if each is one.
  ///
  /// Swift compares strings by canonical equivalence, JSON names code by code (RFC 8259 section
  /// 8.3). A name that is a key by the former only would be let through and then never be found;
  /// and two such names would become one key of a `Dictionary`.
  func firstName<Key: CodingKey>(unknownTo type: Key.Type) -> Int? {
    var equivalents: Set<String> = []
    var name = index + 1
    let end = Int(node.link)
    while name < end {
      let text = document.text(of: name)
      guard let key = Key(stringValue: text) else { return name }
      if !document.nodes[name].flag {
        guard key.stringValue.utf8.elementsEqual(text.utf8), equivalents.insert(text).inserted
        else {
          return name
        }
      }
      name = document.indexAfter(name + 1)
    }
    return nil
  }

  /// `"increase"` as `{"increase":{}}`: the same bytes with other nodes, which a document that is
  /// one string has from the outset.
  func expandingCaseName() -> NodeDecoder {
    guard index > 0 else { return NodeDecoder(document, at: 1, reading: .input) }
    let expanded = JSONDocument(bytes: document.bytes, nodes: [node] + .expansion(of: node))
    return NodeDecoder(expanded, at: 1, reading: .input)
  }

  /// Whether this holds a case's values by name, or is what a plain string implies and holds none.
  ///
  /// Apart from the next function, since asking a key type is the dear part of it.
  var isInFull: Bool {
    node.kind == .object && (node.flag || document.member("_0", of: index) != nil)
  }

  /// Whether `{"setDuration":10}` stands for `{"setDuration":{"_0":10}}`, seen from the 10.
  ///
  /// Asked of what is not in full. It does if the case has an unlabelled value, unless it is an
  /// object whose members are all named like the case's other values.
  func standsForUnlabelledValue<Key: CodingKey>(besides type: Key.Type) -> Bool {
    guard Key(stringValue: "_0") != nil else { return false }
    return node.kind != .object || node.count == 0 || firstName(unknownTo: type) != nil
  }
}

extension [JSONNode] {
  /// The object that a string stands for when it is an Input; it goes behind the string, at index
  /// 1.
  static func expansion(of name: JSONNode) -> [JSONNode] {
    let object = JSONNode(kind: .object, flag: false, start: name.start, link: 4, count: 1)
    let values = JSONNode(kind: .object, flag: true, start: name.start, link: 4, count: 0)
    return [object, name, values]
  }
}
