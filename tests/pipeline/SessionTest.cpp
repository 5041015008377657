#include "engine/pipeline/Session.h"
#include "engine/pipeline/Stages.h"
#include "engine/runtime/KernelCache.h"
#include "engine/runtime/Verify.h"
#include "engine/support/Launcher.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace strata;

namespace {

const std::string training = R"(
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 16)
        self.b = nn.Linear(16, 4)

    def forward(self, x):
        return torch.softmax(self.b(torch.relu(self.a(x))), dim=-1)

torch.manual_seed(0)
net = Net()
compiled = torch.compile(net)
x = torch.linspace(-1, 1, 48).reshape(6, 8)
for _ in range(3):
    loss = compiled(x).pow(2).sum()
    loss.backward()
print(round(loss.item(), 4))
)";

struct Traced {
    trace::MemorySink sink;
    pipeline::Outcome outcome;

    explicit Traced(const std::string& text, const std::string& backend = "default") {
        pipeline::SessionOptions options;
        options.backend = backend;
        options.argv = {"test.py"};
        pipeline::Session session(&sink);
        outcome = session.run(text, "test.py", options);
    }

    std::vector<trace::Record> of(const std::string& kind) const {
        std::vector<trace::Record> out;
        for (const auto& r : sink.records)
            if (r["kind"] == kind) out.push_back(r);
        return out;
    }
    std::string output() const {
        std::string text;
        for (const auto& r : of("stdout")) text += r["text"].get<std::string>();
        return text;
    }
};

} // namespace

TEST_CASE("one program leaves an artifact of every stage") {
    const Traced run(training);
    INFO(run.output());
    REQUIRE(run.outcome.status == "ok");
    for (const pipeline::Stage& stage : pipeline::stages) {
        INFO(stage.artifact);
        REQUIRE_FALSE(run.of(std::string(stage.artifact)).empty());
    }
}

TEST_CASE("displayed is executed: the C++ shown, compiled afresh, is the code shown and the code that ran") {
    const Traced run(training);
    const auto cpp = run.of("cpp"), assembly = run.of("asm");
    REQUIRE(cpp.size() == assembly.size());
    REQUIRE_FALSE(cpp.empty());
    for (std::size_t i = 0; i < cpp.size(); ++i) {
        const std::string text = cpp[i]["text"];
        const auto ran = runtime::KernelCache::instance().get(text); // what the wrapper holds
        const auto fresh = runtime::compile(text, {});
        REQUIRE(runtime::differences(*ran, *fresh).empty());
        REQUIRE(runtime::differences(assembly[i]["text"].get<std::string>(), *ran).empty());
    }
}

TEST_CASE("counts in the trace are the launcher's counters") {
    const auto& launcher = support::Launcher::instance();
    const auto eager = launcher.count(support::Mode::Eager), compiled = launcher.count(support::Mode::Compiled);
    const Traced run(training);
    std::uint64_t eagerRecords = 0, compiledRecords = 0;
    for (const auto& launch : run.of("launch")) ++(launch["mode"] == "compiled" ? compiledRecords : eagerRecords);
    const auto counters = run.of("run_finished").at(0)["counters"];
    REQUIRE(compiledRecords > 0);
    REQUIRE(compiledRecords == launcher.count(support::Mode::Compiled) - compiled);
    REQUIRE(eagerRecords == launcher.count(support::Mode::Eager) - eager);
    REQUIRE(counters["compiled_launches"] == compiledRecords);
    REQUIRE(counters["eager_launches"] == eagerRecords);
}

TEST_CASE("every item's provenance leads back to the source") {
    const Traced run(training);
    std::map<std::string, std::vector<std::string>> from;
    for (const auto& r : run.sink.records)
        if (r["family"] == "artifact")
            for (const auto& item : r["items"]) from[item["id"]] = item["from"].get<std::vector<std::string>>();
    int kernels = 0;
    for (const auto& r : run.of("fused_loops"))
        for (const auto& item : r["items"]) {
            if (item["op"] != "kernel") continue;
            ++kernels;
            std::set<std::string> seen;
            std::vector<std::string> work{item["id"]};
            bool reached = false;
            while (!work.empty() && !reached) {
                const std::string id = work.back();
                work.pop_back();
                reached = id.rfind("source:", 0) == 0;
                for (const std::string& next : from[id])
                    if (seen.insert(next).second) work.push_back(next);
            }
            INFO(item["id"]);
            REQUIRE(reached);
        }
    REQUIRE(kernels > 0);
}

TEST_CASE("the same program leaves the same trace but for times") {
    const auto strip = [](const Traced& run) {
        std::vector<std::string> out;
        for (auto r : run.sink.records) {
            if (r["family"] == "measure" || r["kind"] == "stage_finished" || r["kind"] == "tape_run") continue;
            for (const char* time : {"t", "ms", "seconds", "ns"}) r.erase(time);
            out.push_back(r.dump());
        }
        return out;
    };
    // Frames are numbered on, so the program that is traced twice differs in nothing else than its compile ids.
    const std::string eager =
        "import torch\nx = torch.ones(3, requires_grad=True)\n(x * 2).sum().backward()\nprint(x.grad)\n";
    REQUIRE(strip(Traced(eager)) == strip(Traced(eager)));
}

TEST_CASE("programs that fail say how") {
    SECTION("an exception, with its place") {
        const Traced run("import torch\nx = torch.ones(2, 3)\nx @ x\n");
        REQUIRE(run.outcome.status == "exception");
        REQUIRE(run.outcome.exitCode == 1);
        const auto e = run.of("exception").at(0);
        REQUIRE(e["type"] == "RuntimeError");
        REQUIRE(e["message"].get<std::string>().find("cannot be multiplied (2x3 and 2x3)") != std::string::npos);
        REQUIRE(e["frames"].back()["line"] == 3);
    }
    SECTION("a syntax error") {
        const Traced run("x = (1,\n");
        REQUIRE(run.outcome.status == "exception");
        REQUIRE(run.of("exception").at(0)["type"] == "SyntaxError");
    }
    SECTION("sys.exit") {
        const Traced run("import sys\nsys.exit(3)\n");
        REQUIRE(run.outcome.exitCode == 3);
        REQUIRE(run.outcome.status == "exit");
    }
}

TEST_CASE("what is not supported runs in eager, with the reason in the trace") {
    const Traced run(R"(
import torch

@torch.compile
def f(x):
    def halves(t):
        while t.shape[0] > 1:
            t = t[: t.shape[0] // 2]
            yield t
    return [p.sum() for p in halves(x)]

print(f(torch.arange(8.0)))
)");
    REQUIRE(run.outcome.status == "ok");
    REQUIRE(run.output() == "[tensor(6.), tensor(1.), tensor(0.)]\n");
    bool told = false;
    for (const auto& r : run.of("compile_finished"))
        told |= r["status"] == "skipped" && !r["code"].get<std::string>().empty();
    for (const auto& r : run.of("graph_break")) told |= !r["code"].get<std::string>().empty();
    REQUIRE(told);
}

TEST_CASE("with compiling off, nothing is compiled") {
    const Traced run(training, "none");
    REQUIRE(run.outcome.status == "ok");
    REQUIRE(run.of("compile_started").empty());
    REQUIRE(run.output() == Traced(training).output());
}
