# make run     build and run the service
# make smoke   run the tests that matter, in seconds
# make test    run the tests of the parts, and the core of those of the pages
# make help    the other targets

SHELL := /bin/bash
space := $(subst ,, )
PACKAGES := libcurl4-gnutls-dev libgnutls28-dev libmicrohttpd-dev libpq-dev libsqlite3-dev nettle-dev zlib1g-dev pkg-config \
  curl openssl rsync
# What renders the docs.
DOCS_PACKAGES := cmark-gfm python3-pygments
# The only optimised build: bench, simulation and the container's image share it.
RELEASE := swift build -c release --static-swift-stdlib --disable-default-traits
# The database server that tests start; without it, they skip the tests that need it.
TEST_PACKAGES := postgresql
# What the tests of the pages need in addition.
BROWSER_PACKAGES := chromium chromium-headless-shell python3-venv
# What the core of the page tests needs in three browsers: their drivers, and a screen with a mouse.
OTHER_BROWSERS := chromium-driver firefox-esr webkit2gtk-driver xvfb xdotool
# What the measurements and their tests need.
BENCH_PACKAGES := gcc libc6-dev python3
SWIFT_SOURCES := Sources Tests Package.swift
# Whole modules without debug information take a third less time to build than SwiftPM's defaults, but after a change
# each module is compiled as a whole. Test discovery needs an output for each file, and so more than one thread; and an
# index, but not that of the system's modules, which takes a seventh of the time.
export WHOLE_MODULES := -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo \
  -Xswiftc -index-ignore-system-modules
SWIFT_FLAGS ?= -debug-info-format none $(WHOLE_MODULES)
# A build that compiles only files that changed, and what depends on them.
INCREMENTAL := --scratch-path .build/incremental -Xswiftc -gnone

# The quick test targets, which open no sockets but for one test of the guide. Not the whole API, nor the stores, which
# wait for a database server: these take as long as all others together.
SMOKE := Architecture StrictJSON HTTPMessages KeyedDigest Gzip Metrics TypeShapes UIFusionKit UIFusionTesting Sessions \
  HTTPToolkit Guide PlainSwift Seed MainActor
# The test targets that `make test` leaves to `make test-rest`, one process for each line: nodes in the tests' own process,
# which wait for each other; whole services; all others.
export NODES := ClusterNodeTests
WHOLE := FaultInjectionTests UIFusionServerTests
PARTS := DoctorTests JSONPatchTests MicrohttpdServerTests SessionAPITests SimulationTests StoreTests StrictJSONTests \
  UIFusionToolsTests
export REST := $(NODES) $(WHOLE) $(PARTS)
# At most so many Swift tests at once. Else all start together, and on a slow machine reach their time limits together.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8
SCHEDULES ?= 10000

.PHONY: run smoke check program compile docs test test-swift test-scripts test-rest test-rest-swift test-rest-pages stress test-pages pages browsers proxies client symbols build release lint format tsan conformity new simulation faults hostile cluster mutants \
  bench bench-pages packages servers network bundle browser bundler measuring help

# The front page has a button that kills the service, if nobody else can reach it; then it is started again.
run: program ## build and run the examples; ARGS="--port 9000" adds flags
	@exec env $(if $(findstring --host,$(ARGS))$(UIFUSION_HOST),,EXAMPLES_CRASH=on) .ci/again .build/debug/uifusion serve $(ARGS)

smoke: ## run the tests that matter, within a minute after a change within functions
	@$(MAKE) --no-print-directory check TESTS="$(SMOKE:%=%Tests)"

check: packages servers ## build and run some test targets; TESTS="UIFusionKitTests SeedTests", ARGS="--filter Counter"
	UIFUSION_TESTS="$(TESTS)" swift test $(INCREMENTAL) $(ARGS)

# One module after the other of the program is compiled, which leaves a core idle for what needs no program. The page
# tests need only the service: they run while the rest is compiled.
test: packages browser measuring ## run the tests; the last line tells what is left out
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=line compile docs test-scripts
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=line test-swift test-pages
	@echo "Passed. Left out: JSON, HTTP, stores, tools, the whole server, several nodes, simulation, most page tests, other browsers. To run them: make test-rest"

test-swift:
	$(if $(FILTER),,UIFUSION_TESTS="$(filter-out $(REST),$(notdir $(wildcard Tests/*Tests)))") \
	  swift test $(SWIFT_FLAGS) $(if $(FILTER),--filter '$(FILTER)')
	.ci/symbols --check

test-rest: test-rest-swift test-rest-pages ## run the tests that `make test` leaves out

test-rest-swift: program servers
	swift test $(SWIFT_FLAGS) --filter '^($(subst $(space),|,$(NODES)))\.'
	swift test $(SWIFT_FLAGS) --filter '^($(subst $(space),|,$(WHOLE)))\.'
	swift test $(SWIFT_FLAGS) --filter '^($(subst $(space),|,$(PARTS)))\.'

test-rest-pages: program browser
	Tests/PageTests/run --quiet -m 'not core'
	@$(MAKE) --no-print-directory browsers

stress: build servers browser measuring ## run all tests RUNS="10" times in random order, the odd ones under LOAD="4", the even ones with late jobs; CORE=1 for those of make test
	.ci/stress $(if $(RUNS),--runs $(RUNS)) $(if $(LOAD),--load $(LOAD)) $(if $(SEED),--seed $(SEED)) $(if $(CORE),--core)

test-scripts:
	python3 -B -m unittest discover --quiet --start-directory Tests/Benchmark
	python3 -B -m unittest discover --quiet --start-directory Tests/ClusterTests
	node --test --test-timeout=60000 --test-reporter=dot Tests/ClientTests
	UIFUSION=/bin/true Tests/PageTests/run --version # installs what the page tests need

test-pages:
	Tests/PageTests/run --quiet -m core

pages: program browser ## run all tests of the pages and their client; PAGES="-k chat" for some
	node --test --test-timeout=60000 Tests/ClientTests
	Tests/PageTests/run $(PAGES)

browsers: program browser ## run the core of the page tests in Chromium, Firefox and WebKitGTK; BROWSERS="firefox" for some
	@$(call install,$(OTHER_BROWSERS))
	Tests/BrowserTests/run --quiet

proxies: program browser ## test behind nginx, haproxy and Apache; PROXIES="-k nginx" for some
	Tests/ProxyTests/install
	Tests/ProxyTests/run $(PROXIES)

client: bundler ## make the client and the console that the program carries, after a change in Sources/API/WebClient
	@set -e; for file in uifusion uifusion-more uifusion-gestures uifusion-login console; do \
	  $(MAKE) -s bundle FILE=$$file > .build/$$file.js; done
	mv .build/{uifusion,uifusion-more,uifusion-gestures,uifusion-login,console}.js Sources/API/WebClient/Bundle/

# The modules of `main.js` and those that it shares with the others form one chunk, the client. Terser makes it a tenth
# smaller; Debian's terser looks for its parts where Debian's node does.
CONSOLE := console=Console/main.js --external:../uifusion.js
LOGIN := uifusion-login=Login/main.js
CLIENT := client=main.js uifusion-more=More/main.js uifusion-gestures=Gestures/main.js --splitting --chunk-names=uifusion
bundle:
	@set -eo pipefail; folder=$$(mktemp -d); trap 'rm -r $$folder' EXIT; cd Sources/API/WebClient; \
	esbuild $(or $(ENTRY:%=$(FILE)=%),$(if $(filter console,$(FILE)),$(CONSOLE),$(if $(filter %-login,$(FILE)),$(LOGIN),$(CLIENT)))) --bundle --outdir=$$folder \
	  --format=esm --target=es2022 --minify-syntax --minify-whitespace --log-level=warning; \
	if [ -f $$folder/client.js ]; then node $(CURDIR)/.ci/client.mjs $$folder; fi; \
	echo "/* $$(sed -n "s/.*export const build='\([0-9a-f]*\)'.*/\1, /p" $$folder/uifusion-more.js 2>&-)by make client */"; \
	NODE_PATH=/usr/share/nodejs terser --module --ecma 2020 --compress passes=3,unsafe_arrows,inline=1,sequences=false --mangle --format wrap_func_args=false < $$folder/$(FILE).js

program: compile docs ## build the program with the examples, and its docs

compile: packages
	swift build --product uifusion $(SWIFT_FLAGS)

docs: Public/docs/index.html ## write the guide as pages, which the service shows at /docs/
Public/docs/index.html: .ci/docs $(wildcard Sources/*/*/*.docc/*.md Sources/Examples/*/*.swift Sources/Examples/*/*/*.swift Public/*.html Public/7guis/*.html)
	@$(call install,$(DOCS_PACKAGES))
	.ci/docs

symbols: program ## write the indexes of public symbols, after a change of a public declaration
	swift build --target UIFusionTesting $(SWIFT_FLAGS)
	.ci/symbols

build: packages ## build the program and all tests
	swift build --build-tests $(SWIFT_FLAGS)

release: packages ## build the program that a container runs, optimised and in one file
	$(RELEASE) --product uifusion

lint: ## check the format of all sources
	swift format lint --strict --parallel -r $(SWIFT_SOURCES)

format: ## format all sources in place
	swift format --in-place --parallel -r $(SWIFT_SOURCES)

tsan: packages ## run the concurrency tests under the thread sanitizer; TSAN="SessionsTests" for some
	.ci/tsan/run $(TSAN)

conformity: program ## have public tools judge the service; needs Python and PyPI
	.ci/conformity/run

new: packages ## write a package with uifusion new, test it, run it, and time that
	.ci/new/run

simulation: packages ## run 10,000 schedules of one node and of several, from a new seed; SCHEDULES="500" SEED="7"
	$(RELEASE) --product simulate
	seed=$${SEED:-$$(date +%s)}; \
	  .build/release/simulate --nodes --seed $$seed --schedules $(SCHEDULES) & \
	  .build/release/simulate --seed $$seed --schedules $(SCHEDULES) && wait $$!

faults: packages ## clients, faults and kills on real threads, and a checker of histories; MINUTES="10", SEED="1"
	$(RELEASE) --product faults
	.build/release/faults --minutes $(or $(MINUTES),2) --seed $(or $(SEED),1)

hostile: packages browser ## types and values drawn at random, against the service; MINUTES="10", SEED="1"
	swift build --product hostile $(SWIFT_FLAGS)
	.build/debug/hostile --minutes $(or $(MINUTES),2) --seed $(or $(SEED),$(shell date +%s))
	UIFUSION=.build/debug/hostile HOSTILE_SEED=$(or $(SEED),1) Tests/PageTests/run Tests/PageTests/hostile

cluster: packages servers network ## three nodes, killed and cut off, on a database that fails over; MINUTES="10", SEED="1"
	$(RELEASE) --product uifusion
	Tests/ClusterTests/run $(or $(MINUTES),1) $(or $(SEED),1) $(if $(WITHIN),--within $(WITHIN))

mutants: packages ## plant faults in the sources, and see the simulation or a test catch each
	.ci/mutants/run

bench: packages measuring ## measure beside bare C; BENCH="inputs durable" for some, PAIRS="5", WRITE=1 for the article
	@$(RELEASE) --product uifusion >&2
	@$(RELEASE) --product rows >&2
	@Tests/Benchmark/run $(BENCH) $(if $(PAIRS),--pairs $(PAIRS)) $(if $(SECONDS),--seconds $(SECONDS)) \
	  $(if $(SCALE),--scale $(SCALE)) $(if $(OTHERS),--others $(OTHERS)) $(if $(WRITE),--write)

bench-pages: packages browser ## measure a page beside those of NiceGUI, FastHTML and Datastar; ROUNDS="3", WRITE=1
	@$(RELEASE) --product rows >&2
	@Tests/Benchmark/Pages/run $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(WRITE),--write)

packages:
	@$(call install,$(PACKAGES))

servers:
	@$(call install,$(TEST_PACKAGES))

network:
	@$(call install,iproute2)

browser:
	@$(call install,$(BROWSER_PACKAGES) $(if $(shell command -v node),,nodejs))

bundler:
	@$(call install,esbuild terser)

measuring:
	@$(call install,$(BENCH_PACKAGES))

# Uses sudo only if a package is missing.
define install
missing=$$(for p in $(1); do \
    dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
  [ -z "$$missing" ] || { sudo=$$([ $$(id -u) = 0 ] || echo sudo); \
    echo "installing" $$missing; \
    $$sudo apt-get update -qq && $$sudo apt-get install -y -qq $$missing; }
endef

help: ## print this
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12
