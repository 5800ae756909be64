extension PackageTemplate {
  /// `Makefile`.
  var makefile: String {
    """
    # make run     build it and run it on http://127.0.0.1:8080; ARGS="--port 9000" adds flags
    # make test    run the tests
    # make image   build a container's image

    export UIFUSION ?= \(uifusion)

    .PHONY: run test image

    run:
    \tswift run \(name) serve $(ARGS)

    test:
    \tswift test

    image:
    \tdocker build --build-context uifusion=$(UIFUSION) -t \(name.image) .

    """
  }
}
