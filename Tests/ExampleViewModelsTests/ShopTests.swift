import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The shop` {
  private typealias Store = AsyncTestStore<ShopViewModel>
  private let cheese = Product(id: "cheese", name: "Cheese", price: 690)

  /// Returns a shop that has loaded its products.
  private func open() async -> Store {
    let store = AsyncTestStore { ShopViewModel(time: $0.time) }
    await store.change { $0.isLoading = true }
    await store.advance(by: .milliseconds(200))
    await store.receive(.loaded(Product.all)) {
      $0.isLoading = false
      $0.products = Product.all
    }
    return store
  }

  /// Returns a shop with cheese in its cart.
  private func openWithCheese() async -> Store {
    let store = await open()
    await store.send(.add(productID: "cheese")) {
      $0.cart = [CartItem(product: cheese, quantity: 1)]
      $0.total = 690
    }
    return store
  }

  @Test func `loads its eight products at the start`() async {
    let store = await open()
    #expect(store.state.products.count == 8)
    await store.finish()
  }

  @Test func `searches by a part of the name when the typing pauses`() async {
    let store = await open()
    await store.send(.search("c")) { $0.query = "c" }
    await store.advance(by: .milliseconds(200))
    await store.send(.search("ch")) { $0.query = "ch" }
    await store.advance(by: .milliseconds(300))
    await store.receive(.load) { $0.isLoading = true }
    await store.advance(by: .milliseconds(200))
    await store.receive(where: { if case .loaded = $0 { true } else { false } }) {
      $0.isLoading = false
      $0.products = Product.all.filter { ["cheese", "chocolate"].contains($0.id) }
    }
    await store.finish()
  }

  @Test func `counts the items in the cart, and removes those with a quantity of 0`() async {
    let store = await openWithCheese()
    await store.send(.setQuantity(productID: "cheese", quantity: 3)) {
      $0.cart[0].quantity = 3
      $0.total = 2_070
    }
    await store.send(.add(productID: "no such thing"))
    await store.send(.setQuantity(productID: "cheese", quantity: 1_000)) {
      $0.cart[0].quantity = 99
      $0.total = 68_310
    }
    await store.send(.setQuantity(productID: "cheese", quantity: 0)) {
      $0.cart = []
      $0.total = 0
    }
    await store.send(.setQuantity(productID: "milk", quantity: -1))
    await store.finish()
  }

  @Test func `declines every third payment, and numbers the orders`() async {
    let store = await open()
    for attempt in 1...3 {
      await store.send(.add(productID: "cheese")) {
        $0.cart = [CartItem(product: cheese, quantity: 1)]
        $0.total = 690
      }
      await store.send(.checkOut) { $0.checkOut = .running }
      // The cart cannot change while it is being paid for.
      await store.send(.add(productID: "milk"))
      await store.advance(by: .seconds(1))
      if attempt == 3 { break }
      await store.receive(.paid) {
        $0.checkOut = .idle
        $0.cart = []
        $0.total = 0
        $0.ordered = attempt
      }
    }
    _ = await store.receiveError { $0.checkOut = .failed("Payment was declined") }
    await store.send(.dismiss) { $0.checkOut = .idle }
    await store.send(.retry) { $0.checkOut = .running }
    await store.advance(by: .seconds(1))
    await store.receive(.paid) {
      $0.checkOut = .idle
      $0.cart = []
      $0.total = 0
      $0.ordered = 3
    }
    await store.finish()
  }

  @Test func `charges nothing for a cancelled payment or an empty cart`() async {
    let store = await openWithCheese()
    await store.send(.checkOut) { $0.checkOut = .running }
    await store.send(.cancelCheckOut) { $0.checkOut = .idle }
    await store.advance(by: .seconds(5))
    await store.finish()
    let empty = await open()
    await empty.send(.checkOut)
    await empty.finish()
  }

  @Test func `has the JSON that its table documents`() throws {
    var state = ShopViewModel.State()
    #expect(
      try json(state)
        == #"{"query":"","isLoading":false,"products":[],"cart":[],"total":0,"checkOut":"idle","#
        + #""ordered":{"value":null,"pulse":0}}"#
    )
    (state.cart, state.total) = ([CartItem(product: cheese, quantity: 2)], 1_380)
    state.checkOut = .failed("Payment was declined")
    #expect(
      try json(state).contains(
        #""cart":[{"product":{"id":"cheese","name":"Cheese","price":690},"quantity":2}],"#
          + #""total":1380,"checkOut":{"failed":"Payment was declined"}"#
      )
    )
    #expect(try restored(state) == state)
    #expect(
      try inputs(
        #"{"search":"ch"}"#,
        #"{"setQuantity":{"productID":"cheese","quantity":2}}"#,
        #""retry""#
      ) == [
        ShopViewModel.Input.search("ch"), .setQuantity(productID: "cheese", quantity: 2), .retry,
      ]
    )
  }

  @Test func `continues from a State stored before it was composed of children`() async throws {
    let stored =
      #"{"query":"ch","isLoading":true,"products":[{"id":"tea","name":"Tea","price":540}],"#
      + #""cart":[{"product":{"id":"cheese","name":"Cheese","price":690},"quantity":2}],"#
      + #""total":1380,"checkOut":"running","ordered":{"value":3,"pulse":3}}"#
    let state = try StrictJSON.decode(ShopViewModel.State.self, from: Array(stored.utf8))
    #expect(try json(state) == stored)
    let shop = try AsyncTestStore(restoring: state) { ShopViewModel(time: $0.time) }
    await shop.change { $0.checkOut = .failed("Payment was interrupted") }
    await shop.advance(by: .milliseconds(200))
    await shop.receive(where: { if case .loaded = $0 { true } else { false } }) {
      $0.isLoading = false
      $0.products = Product.all(matching: "ch")
    }
    await shop.send(.retry) { $0.checkOut = .running }
    await shop.advance(by: .seconds(1))
    await shop.receive(.paid) {
      $0.checkOut = .idle
      $0.cart = []
      $0.total = 0
      $0.ordered = 4
    }
    #expect(try json(shop.state).hasSuffix(#""ordered":{"value":4,"pulse":4}}"#))
    await shop.finish()
  }
}
