#include "views/panes/MapWords.h"

namespace strata::panes {

QString MapWords::title(MapBox box) {
    switch (box) {
    case MapBox::Python:
        return tr("Python");
    case MapBox::Dispatcher:
        return tr("Dispatcher");
    case MapBox::Kernels:
        return tr("Kernels");
    case MapBox::Tape:
        return tr("Autograd tape");
    case MapBox::Call:
        return tr("Compiled function");
    case MapBox::Dynamo:
        return tr("TorchDynamo");
    case MapBox::Fx:
        return tr("FX graph");
    case MapBox::Aot:
        return tr("AOTAutograd");
    case MapBox::Prims:
        return tr("PrimTorch / ATen IR");
    case MapBox::Inductor:
        return tr("TorchInductor");
    case MapBox::Codegen:
        return tr("Code generation");
    case MapBox::Cache:
        return tr("Cache: do the guards hold?");
    case MapBox::Guards:
        return tr("Guards");
    case MapBox::Breaks:
        return tr("Graph breaks");
    case MapBox::Comparison:
        return tr("Eager against compiled");
    case MapBox::Launches:
        return tr("Compiled kernels");
    }
    return {};
}

QString MapWords::caption(MapBox box) {
    switch (box) {
    case MapBox::Python:
        return tr("each line runs at once");
    case MapBox::Dispatcher:
        return tr("every operation on its own");
    case MapBox::Kernels:
        return tr("launched one by one");
    case MapBox::Tape:
        return tr("recorded as the program runs");
    case MapBox::Call:
        return tr("its first call compiles");
    case MapBox::Dynamo:
        return tr("frame hook, reads bytecode");
    case MapBox::Fx:
        return tr("captured operations");
    case MapBox::Aot:
        return tr("joint graph, functional");
    case MapBox::Prims:
        return tr("small operations only");
    case MapBox::Inductor:
        return tr("loops, fusion, scheduling");
    case MapBox::Codegen:
        return tr("C++ / OpenMP for the CPU");
    case MapBox::Cache:
        return tr("yes: reuse; no: compile");
    case MapBox::Guards:
        return tr("what the graph relies on");
    case MapBox::Breaks:
        return tr("what cannot be captured");
    case MapBox::Comparison:
        return {};
    case MapBox::Launches:
        return tr("fused, few launches");
    }
    return {};
}

QString MapWords::explanation(MapBox box) {
    switch (box) {
    case MapBox::Python:
        return tr("The program. In eager mode every line takes effect before the next one starts.");
    case MapBox::Dispatcher:
        return tr("Every operation enters the dispatcher by itself, which walks the dispatch keys (autograd, backend) "
                  "to the kernel that does the work.");
    case MapBox::Kernels:
        return tr("Pointwise operations, reductions and matrix products are launched one after another; between two of "
                  "them everything goes through memory.");
    case MapBox::Tape:
        return tr("While forward runs, each operation that needs a gradient leaves a node. backward() walks them from "
                  "the loss to the leaves.");
    case MapBox::Call:
        return tr("A function given to torch.compile is called. The first call triggers capture and compilation.");
    case MapBox::Dynamo:
        return tr("TorchDynamo evaluates the frame's bytecode symbolically, records tensor operations, and gives the "
                  "rest back to the interpreter.");
    case MapBox::Fx:
        return tr("The operations that were captured, as a graph that can be read, changed and compiled.");
    case MapBox::Aot:
        return tr("In training, AOTAutograd traces forward and backward into one functional graph, decomposes "
                  "operations and cuts it in two.");
    case MapBox::Prims:
        return tr("Complex operations are split into small primitives that a backend handles easily.");
    case MapBox::Inductor:
        return tr("TorchInductor turns the graph into loops, decides which share a kernel, and plans memory.");
    case MapBox::Codegen:
        return tr("Kernels are written as source text, compiled, and loaded into the process.");
    case MapBox::Cache:
        return tr("Before compiled code runs, its guards are checked. All hold: it is reused. One fails: the function "
                  "is compiled again, or runs in eager.");
    case MapBox::Guards:
        return tr("Shapes, dtypes and Python state that the captured graph took for granted.");
    case MapBox::Breaks:
        return tr("print, a branch on a tensor's value, an unknown call: the graph ends there, the interpreter takes "
                  "over, and capture resumes behind.");
    case MapBox::Comparison:
        return tr("The same program both ways, as measured.");
    case MapBox::Launches:
        return tr("The compiled kernels run. Fusion makes fewer of them, with less traffic to memory.");
    }
    return {};
}

QString MapWords::edge(MapEdge edge) {
    switch (edge) {
    case MapEdge::CacheDynamo:
        return tr("no: miss");
    case MapEdge::CacheLaunches:
        return tr("yes: hit, reuse");
    case MapEdge::BreaksPython:
        return tr("back to Python");
    default:
        return {};
    }
}

QString MapWords::eagerTitle() {
    return tr("Eager mode");
}
QString MapWords::eagerSubtitle() {
    return tr("dynamic, line by line");
}
QString MapWords::eagerStrengths() {
    return tr("direct to debug, all of Python, no compile");
}
QString MapWords::eagerCosts() {
    return tr("Python and dispatch at each op, no fusion");
}
QString MapWords::compiledTitle() {
    return tr("Compiled mode");
}
QString MapWords::compiledSubtitle() {
    return tr("capture graphs, compile them, run the result");
}
QString MapWords::compiledStrengths() {
    return tr("fusion cuts launches and memory traffic, less Python and dispatch");
}
QString MapWords::compiledCosts() {
    return tr("the first call pays for tracing and compiling, and guards must hold");
}

QString MapWords::comparisonEmpty() {
    return tr("What a run measures stands here: launches and times, eager and compiled.");
}
QString MapWords::launches() {
    return tr("Launches");
}
QString MapWords::time() {
    return tr("Time (median)");
}
QString MapWords::lastCall(const QString& time, int launches) {
    return launches == 1 ? tr("Last compiled call: %1, 1 launch").arg(time)
                         : tr("Last compiled call: %1, %2 launches").arg(time).arg(launches);
}
QString MapWords::eager() {
    return tr("eager");
}
QString MapWords::compiled() {
    return tr("compiled");
}
QString MapWords::firstCall(const QString& time) {
    return tr("Compiling: %1").arg(time);
}
QString MapWords::guardCheck(const QString& time) {
    return tr("Guard check: %1").arg(time);
}
QString MapWords::faster(const QString& factor) {
    return tr("%1× faster").arg(factor);
}
QString MapWords::slower(const QString& factor) {
    return tr("%1× slower").arg(factor);
}

} // namespace strata::panes
