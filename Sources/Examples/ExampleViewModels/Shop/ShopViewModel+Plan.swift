package import UIFusionKit

extension ShopViewModel: Planned {
  package static let plan: [PlannedInput<ShopViewModel>] = [
    .input(
      .search("ch"),
      "상품 검색",
      [
        .action(.changeQuery("ch"), ["query": "입력한 검색어로 바로 바뀝니다."]),
        .action(.wait),
        .action(.load, ["isLoading": "입력이 0.3초 멈추면 true로 설정됩니다."]),
        .action(
          .loaded([]),
          [
            "isLoading": "0.2초 뒤에 false로 설정됩니다.",
            "products": "이름에 검색어가 들어 있는 상품으로 바뀝니다.",
          ]
        ),
      ]
    ),
    .input(
      .add(productID: "cheese"),
      "장바구니에 담기",
      [
        .action(
          .add(productID: "cheese"),
          ["cart": "상품이 하나 더해집니다.", "total": "합계가 다시 계산됩니다."]
        )
      ]
    ),
    .input(
      .setQuantity(productID: "cheese", quantity: 2),
      "수량 변경",
      after: [.add(productID: "cheese")],
      [
        .action(
          .setQuantity(productID: "cheese", quantity: 2),
          ["cart": "수량이 바뀌고, 0이면 빠집니다.", "total": "합계가 다시 계산됩니다."]
        )
      ]
    ),
    .input(
      .checkOut,
      "결제",
      after: [.add(productID: "cheese")],
      payment
    ),
    .input(
      .cancelCheckOut,
      "결제 중에 취소",
      after: [.add(productID: "cheese"), .checkOut],
      delay: .milliseconds(500),
      [.action(.cancelPayment, ["checkOut": "\"idle\"로 설정되고, 장바구니는 그대로입니다."])]
    ),
    .input(
      .retry,
      "결제 실패 후 다시 시도",
      after: [.add(productID: "cheese")],
      payment
    ),
    .input(
      .dismiss,
      "알릴 것이 없을 때 닫기: 아무것도 바뀌지 않습니다.",
      [.action(.dismiss)]
    ),
  ]

  /// The actions of check-out and retry if the payment succeeds.
  private static let payment: [PlannedAction<ShopViewModel>] = [
    .action(.pay, ["checkOut": "\"running\"으로 설정됩니다."]),
    .action(
      .paid,
      [
        "checkOut": "1초 뒤에 \"idle\"로 설정됩니다.",
        "cart": "비워집니다.",
        "total": "0이 됩니다.",
        "ordered": "주문 번호를 알립니다.",
      ]
    ),
  ]
}
