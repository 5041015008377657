// How programs run and end.
#include "tests/python/Run.h"

#include "engine/support/Error.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace strata;
using test::run;

TEST_CASE("a program runs as __main__") {
    const auto ran = run("import sys\nprint(__name__, __file__, sys.argv[0], sys.modules['__main__'].x if 'x' in "
                         "globals() else 'fresh')\nx = 1\n",
                         "dir/a.py");
    CHECK(ran.result.status == "ok");
    CHECK(ran.result.exitCode == 0);
    CHECK(ran.out == "__main__ dir/a.py dir/a.py fresh\n");
    CHECK(run("print('x' in globals())").out == "False\n");
}

TEST_CASE("its folder is on sys.path while it runs, and nothing of the user's own Python") {
    CHECK(run("import sys\nprint(sys.path[0].endswith('/dir'), any('-packages' in p for p in sys.path))", "dir/a.py")
              .out == "True False\n");
    CHECK(run("import sys\nprint(any(p.endswith('/dir') for p in sys.path))").out == "False\n");
}

TEST_CASE("output is sent by the line, in order, on its stream") {
    const auto ran = run("import sys\nprint('a', 'b')\nprint('c', file=sys.stderr)\nprint('d', "
                         "end='')\nprint()\nsys.stdout.write('\\u4e2d')");
    REQUIRE(ran.records.size() == 4);
    CHECK(ran.records[0]["text"] == "a b\n");
    CHECK(ran.records[1]["text"] == "c\n");
    CHECK(ran.records[1]["stream"] == "stderr");
    CHECK(ran.records[2]["text"] == "d\n");
    CHECK(ran.records[3]["text"] == "\u4e2d");
}

TEST_CASE("bytes of a character that come apart are put together, and bytes that are none are replaced") {
    const auto ran =
        run("import sys\nb = sys.stdout.buffer\nb.write(b'\\xe4')\nb.flush()\nb.write(b'\\xb8\\xad\\xff!')\n");
    CHECK(ran.out == "\u4e2d\ufffd!");
}

TEST_CASE("an exception tells its place in characters") {
    const auto ran = run("def f(a):\n    return '\u4e2d', a / 0\n\nf(1)\n");
    CHECK(ran.result.status == "exception");
    CHECK(ran.result.exitCode == 1);
    CHECK(ran.type == "ZeroDivisionError");
    CHECK(ran.message == "division by zero");
    REQUIRE(ran.frames.size() == 2);
    CHECK(ran.frames[0]["function"] == "<module>");
    CHECK(ran.frames[1]["line"] == 2);
    CHECK(ran.frames[1]["column"] == 16);
    CHECK(ran.frames[1]["end_column"] == 21);
    CHECK(ran.traceback.find("    return '\u4e2d', a / 0\n") != std::string::npos);
    CHECK(ran.traceback.find("~~^~~") != std::string::npos);
}

TEST_CASE("frames of the engine's own files are kept under their names, with their text") {
    const auto ran = run("import torch\ntorch.nn.functional.dropout(torch.ones(1), 2.0)\n");
    CHECK(ran.type == "ValueError");
    CHECK(ran.lastFrame().rfind("<strata>/torch/nn/functional.py:", 0) == 0);
    CHECK(ran.traceback.find("raise ValueError(f\"dropout probability") != std::string::npos);
    CHECK(run("import torch, inspect\nprint(inspect.getsource(torch.nn.ReLU.forward))")
              .out.find("F.relu(input, inplace=self.inplace)") != std::string::npos);
}

TEST_CASE("a syntax error has a place and no run") {
    const auto ran = run("print('never')\nx = = 1\n");
    CHECK(ran.result.status == "exception");
    CHECK(ran.type == "SyntaxError");
    CHECK(ran.out.empty());
    REQUIRE(ran.frames.size() == 1);
    CHECK(ran.frames[0]["line"] == 2);
    CHECK(ran.frames[0]["column"] == 4);
}

TEST_CASE("sys.exit ends a program with its status") {
    CHECK(run("import sys\nsys.exit()").result.exitCode == 0);
    CHECK(run("import sys\nsys.exit(3)").result.exitCode == 3);
    CHECK(run("raise SystemExit").result.status == "exit");
    const auto ran = run("import sys\nsys.exit('why')");
    CHECK(ran.result.exitCode == 1);
    CHECK(ran.err == "why\n");
}

TEST_CASE("SIGINT stops a busy program") {
    // The signal comes once the program's first line has run, so that it cannot come too early.
    const auto start = std::chrono::steady_clock::now();
    const auto ran = run("import os, signal, threading\n"
                         "threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                         "while True: pass\n");
    CHECK(ran.result.status == "stopped");
    CHECK(ran.result.exitCode == 130);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
    CHECK(run("print(1)").out == "1\n");
}

// A sanitizer needs more address space than the limit leaves.
#if !defined(__has_feature) || !__has_feature(address_sanitizer)
TEST_CASE("memory that is not there is a MemoryError") {
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    rlimit limit = before;
    limit.rlim_cur = rlim_t{1} << 36;
    setrlimit(RLIMIT_AS, &limit);
    const auto ran = run("import torch\ntorch.zeros(1 << 35)\n");
    const auto plain = run("x = bytearray(1 << 37)\n");
    setrlimit(RLIMIT_AS, &before);
    CHECK(ran.result.status == "out_of_memory");
    CHECK(plain.result.status == "out_of_memory");
    CHECK(plain.type == "MemoryError");
}
#endif

TEST_CASE("what a program leaves for its end runs") {
    const auto ran = run("import atexit, threading, time\natexit.register(print, 'exit')\n"
                         "def late():\n    time.sleep(0.05)\n    "
                         "print('thread')\nthreading.Thread(target=late).start()\nprint('last line')\n");
    CHECK(ran.out == "last line\nthread\nexit\n");
}

TEST_CASE("the same text is the same code") {
    const std::string text = "import sys\nprint(id(sys._getframe().f_code))\n";
    CHECK(run(text).out == run(text).out);
}

TEST_CASE("without a sink output is dropped") {
    python::initialize({"program.py"});
    CHECK(python::runProgram("print('dropped')", "program.py", nullptr).status == "ok");
    CHECK(python::runProgram("1 / 0", "program.py", nullptr).exitCode == 1);
}

TEST_CASE("userPlace without a frame") {
    python::initialize({"program.py"});
    std::string file;
    int line = 0;
    CHECK_FALSE(python::userPlace(file, line));
}

TEST_CASE("versions are told") {
    python::initialize({"program.py"});
    CHECK(python::versions()["torch"] == "2.11.0+strata");
    CHECK(python::versions()["python"].get<std::string>().rfind("3.11.", 0) == 0);
}
