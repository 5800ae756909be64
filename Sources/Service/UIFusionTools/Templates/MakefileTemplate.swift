extension PackageTemplate {
  /// `Makefile`.
  var makefile: String {
    """
    # make run     build it and run it on http://127.0.0.1:8080; ARGS="--port 9000" adds flags
    # make dev     the same, and build and restart it when a file changes
    # make test    run the tests
    # make image   build a container's image

    export UIFUSION ?= \(uifusion)

    .PHONY: run dev test image

    run:
    \tswift run \(name) serve $(ARGS)

    dev:
    \tswift run \(name) dev $(ARGS)

    test:
    \tswift test

    image:
    \tdocker build --build-context uifusion=$(UIFUSION) -t \(name.image) .

    """
  }
}
