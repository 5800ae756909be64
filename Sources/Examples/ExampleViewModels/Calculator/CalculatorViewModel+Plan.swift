package import UIFusionKit

extension CalculatorViewModel: Planned {
  package static let plan: [PlannedInput<CalculatorViewModel>] = [
    .input(
      .digit(7),
      "숫자 버튼 선택",
      [
        .action(.enter(7), ["display": "\"7\"로 바뀌고, 이어서 누르는 숫자는 뒤에 붙습니다."]),
        .action(.updateTimer),
      ]
    ),
    .input(
      .digit(7),
      "이미 열 자리일 때 숫자 버튼 선택: 무시됩니다.",
      after: Array(repeating: .digit(1), count: 10),
      [
        .action(.enter(7)),
        .action(.updateTimer),
      ]
    ),
    .input(
      .digit(7),
      "결과가 표시된 뒤 숫자 버튼 선택",
      after: fortyTwo,
      delay: .seconds(1),
      [
        .action(.enter(7), ["display": "새 수 \"7\"로 시작합니다."]),
        .action(.updateTimer),
        .action(
          .clear,
          [
            "display": "5초 동안 아무 입력이 없으면 \"0\"으로 초기화됩니다.",
            "isAutoClearTimerActive": "false로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .operation(.add),
      "수를 입력하고 연산 버튼 선택: 표시는 그대로입니다.",
      after: [.digit(2)],
      [
        .action(.choose(.add)),
        .action(.updateTimer),
      ]
    ),
    .input(
      .operation(.multiply),
      "2 + 3 다음에 연산 버튼 선택",
      after: [.digit(2), .operation(.add), .digit(3)],
      [
        .action(.choose(.multiply), ["display": "왼쪽부터 계산한 \"5\"로 바뀝니다."]),
        .action(.updateTimer),
      ]
    ),
    .input(
      .operation(.add),
      "8 ÷ 0 다음에 연산 버튼 선택",
      after: [.digit(8), .operation(.divide), .digit(0)],
      [
        .action(.choose(.add), ["activeAlert": "\"0으로 나눌 수 없습니다\"로 설정되고, 계산은 처음부터 다시 시작합니다."]),
        .action(.updateTimer),
      ]
    ),
    .input(
      .equals,
      "12 + 30 다음에 = 버튼 선택",
      after: Array(fortyTwo.dropLast()),
      [
        .action(
          .calculate,
          [
            "display": "결과 \"42\"로 바뀝니다.",
            "isAutoClearTimerActive": "true로 설정되고, 5초 타이머가 시작됩니다.",
          ]
        ),
        .action(.updateTimer),
        .action(
          .clear,
          [
            "display": "5초 동안 아무 입력이 없으면 \"0\"으로 초기화됩니다.",
            "isAutoClearTimerActive": "false로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .equals,
      "8 ÷ 0 다음에 = 버튼 선택",
      after: [.digit(8), .operation(.divide), .digit(0)],
      [
        .action(.calculate, ["activeAlert": "\"0으로 나눌 수 없습니다\"로 설정되고, display는 \"0\"입니다."]),
        .action(.updateTimer),
      ]
    ),
    .input(
      .equals,
      "연산 없이 = 버튼 선택: 아무것도 바뀌지 않습니다.",
      after: [.digit(7)],
      [
        .action(.calculate),
        .action(.updateTimer),
      ]
    ),
    .input(
      .clear,
      "clear 버튼 선택",
      after: [.digit(7)],
      [
        .action(.clear, ["display": "\"0\"으로 초기화됩니다."]),
        .action(.updateTimer),
      ]
    ),
    .input(
      .clear,
      "결과가 표시된 뒤 clear 버튼 선택",
      after: fortyTwo,
      delay: .seconds(1),
      [
        .action(
          .clear,
          [
            "display": "\"0\"으로 초기화됩니다.",
            "isAutoClearTimerActive": "false로 설정되고, 타이머가 취소됩니다.",
          ]
        ),
        .action(.updateTimer),
      ]
    ),
    .input(
      .dismissAlert,
      "알림 닫기 버튼 선택",
      after: [.digit(8), .operation(.divide), .digit(0), .equals],
      [
        .action(.dismissAlert, ["activeAlert": "null로 설정되어 알림이 사라집니다."]),
        .action(.updateTimer),
      ]
    ),
  ]

  /// The inputs that lead to a result, 42.
  private static var fortyTwo: [Input] {
    [.digit(1), .digit(2), .operation(.add), .digit(3), .digit(0), .equals]
  }
}
