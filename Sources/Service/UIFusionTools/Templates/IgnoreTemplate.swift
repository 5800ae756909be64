extension PackageTemplate {
  /// `.gitignore`: what a build makes, and the sessions.
  var gitignore: String {
    """
    .build/
    .uifusion/

    """
  }

  /// `.dockerignore`: only what the Dockerfile needs goes in.
  var dockerignore: String {
    """
    *
    !Package.swift
    !Public
    !Sources
    !Tests

    """
  }
}
