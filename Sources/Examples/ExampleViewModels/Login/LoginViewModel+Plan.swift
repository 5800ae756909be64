package import UIFusionKit

extension LoginViewModel: Planned {
  package static let plan: [PlannedInput<LoginViewModel>] = [
    .input(
      .emailChanged("ada@example.com"),
      "이메일 입력",
      [.action(.changeEmail("ada@example.com"), ["email": "입력한 이메일로 바뀝니다."])]
    ),
    .input(
      .emailChanged("ada@example.com"),
      "비밀번호가 있을 때 이메일 입력",
      after: [.passwordChanged(Secret("password"))],
      [
        .action(
          .changeEmail("ada@example.com"),
          [
            "email": "입력한 이메일로 바뀝니다.",
            "isFormValid": "이메일에 @가 있으면 true로 설정됩니다.",
          ]
        )
      ]
    ),
    .input(
      .passwordChanged(Secret("password")),
      "비밀번호 입력",
      [
        .action(
          .changePassword(Secret("password")),
          ["password": "\"••••\"로 표시됩니다: 값은 밖으로 나가지 않습니다."]
        )
      ]
    ),
    .input(
      .passwordChanged(Secret("password")),
      "이메일이 있을 때 비밀번호 입력",
      after: [.emailChanged("ada@example.com")],
      [
        .action(
          .changePassword(Secret("password")),
          [
            "password": "\"••••\"로 표시됩니다.",
            "isFormValid": "비밀번호가 비어 있지 않으면 true로 설정됩니다.",
          ]
        )
      ]
    ),
    .input(
      .submit,
      "맞는 비밀번호(이 예제에서는 \"password\")로 로그인",
      after: [.emailChanged("ada@example.com"), .passwordChanged(Secret("password"))],
      [
        .action(.requestLogin, ["isRequestInFlight": "요청이 진행되는 1초 동안 true로 설정됩니다."]),
        .action(
          .accepted(next: .done),
          [
            "isRequestInFlight": "false로 설정됩니다.",
            "step": "done으로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .submit,
      "2단계 인증이 필요한 이메일과 맞는 비밀번호로 로그인",
      after: [.emailChanged("2fa@example.com"), .passwordChanged(Secret("password"))],
      [
        .action(.requestLogin, ["isRequestInFlight": "요청이 진행되는 1초 동안 true로 설정됩니다."]),
        .action(
          .accepted(next: .twoFactor),
          [
            "isRequestInFlight": "false로 설정됩니다.",
            "step": "twoFactor로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .submit,
      "틀린 비밀번호로 로그인",
      after: [.emailChanged("ada@example.com"), .passwordChanged(Secret("secret"))],
      [
        .action(.requestLogin, ["isRequestInFlight": "요청이 진행되는 1초 동안 true로 설정됩니다."]),
        .action(
          .rejected(""),
          [
            "isRequestInFlight": "false로 설정됩니다.",
            "alert": "\"Unknown user or invalid password.\"가 트리거됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .submit,
      "이메일이나 비밀번호가 올바르지 않을 때 로그인: 아무것도 보내지 않습니다.",
      after: [.emailChanged("ada@example.com")],
      [.action(.requestLogin)]
    ),
    .input(
      .codeChanged(Secret("1234")),
      "인증 코드 입력: 코드는 State에 표시되지 않습니다.",
      [.action(.changeCode(Secret("1234")))]
    ),
    .input(
      .submitCode,
      "맞는 인증 코드(이 예제에서는 \"1234\") 제출",
      after: [
        .emailChanged("2fa@example.com"), .passwordChanged(Secret("password")), .submit,
        .codeChanged(Secret("1234")),
      ],
      [
        .action(.requestSecondFactor, ["isRequestInFlight": "요청이 진행되는 1초 동안 true로 설정됩니다."]),
        .action(
          .accepted(next: .done),
          [
            "isRequestInFlight": "false로 설정됩니다.",
            "step": "done으로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .submitCode,
      "틀린 인증 코드 제출",
      after: [
        .emailChanged("2fa@example.com"), .passwordChanged(Secret("password")), .submit,
        .codeChanged(Secret("secret")),
      ],
      [
        .action(.requestSecondFactor, ["isRequestInFlight": "요청이 진행되는 1초 동안 true로 설정됩니다."]),
        .action(
          .rejected(""),
          [
            "isRequestInFlight": "false로 설정됩니다.",
            "alert": "\"Invalid code.\"가 트리거됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .submitCode,
      "2단계가 아닐 때 인증 코드 제출: 무시됩니다.",
      [.action(.requestSecondFactor)]
    ),
    .input(
      .dismiss,
      "요청이 진행 중일 때 취소",
      after: [.emailChanged("ada@example.com"), .passwordChanged(Secret("password")), .submit],
      delay: .milliseconds(500),
      [.action(.dismiss, ["isRequestInFlight": "false로 설정되고, 늦은 응답은 오지 않습니다."])]
    ),
    .input(
      .dismiss,
      "2단계에서 취소",
      after: [.emailChanged("2fa@example.com"), .passwordChanged(Secret("password")), .submit],
      [.action(.dismiss, ["step": "credentials로 돌아갑니다."])]
    ),
  ]
}
