#include "tests/gui/SampleTrace.h"

#include <string>
#include <utility>

namespace strata::tests {

namespace {

using trace::Json;

constexpr const char* file = "train.py";
constexpr const char* program = R"(import torch
import torch.nn.functional as F

def layer(x, w, b, r):
    h = F.gelu(x @ w + b)
    p = torch.softmax(h + r, dim=-1)
    return p.sum()

x = torch.randn(64, 128)
w = torch.randn(128, 256, requires_grad=True)
b = torch.randn(256, requires_grad=True)
r = torch.randn(64, 256)

compiled = torch.compile(layer)
loss = compiled(x, w, b, r)
loss.backward()
print(loss.item())
)";

std::string lineId(int line) {
    return "source:" + std::string(file) + ":" + std::to_string(line);
}

struct Node {
    std::string name, op, target;
    Json inputs, shape;
    std::string dtype = "float32";
    Json from = Json::array();
    std::string side, role;
    bool saved = false;
};

class Stream {
public:
    void put(const char* family, const char* kind, Json fields) {
        Json record = trace::make(family, kind, std::move(fields));
        record["seq"] = m_records.size();
        record["t"] = 0.0004 * static_cast<double>(m_records.size());
        m_records.push_back(std::move(record));
    }

    // An FX-like graph: inputs name nodes of the same graph.
    void graph(const std::string& kind, const std::string& compile, const std::string& region,
               const std::vector<Node>& nodes) {
        const std::string prefix = kind + ":" + compile + ":" + (kind == "prims" ? region + ":" : "");
        Json items = Json::array();
        std::string text = "graph():\n";
        int line = 2;
        for (const Node& n : nodes) {
            Json inputs = Json::array();
            for (const Json& input : n.inputs) inputs.push_back(prefix + input.get<std::string>());
            Json item{{"id", prefix + n.name}, {"from", n.from},          {"line", line},
                      {"end_line", line},      {"label", n.name},         {"op", n.op},
                      {"target", n.target},    {"inputs", inputs},        {"dtype", n.dtype},
                      {"shape", n.shape},      {"stride", Json::array()}, {"module", ""}};
            if (!n.side.empty()) item["side"] = n.side;
            if (!n.role.empty()) item["role"] = n.role;
            if (kind == "joint") item["saved"] = n.saved;
            items.push_back(std::move(item));
            text += "    %" + n.name + " = " + n.op + "[" + n.target + "]\n";
            ++line;
        }
        put("artifact", kind.c_str(),
            {{"compile", compile},
             {"region", region},
             {"graph", region.empty() ? kind : region},
             {"text", text},
             {"items", items}});
    }

    void text(const std::string& kind, const std::string& region,
              const std::vector<std::pair<std::string, Json>>& lines, const std::string& kernel) {
        Json items = Json::array();
        std::string all;
        int number = 1;
        for (const auto& [line, from] : lines) {
            all += line + "\n";
            if (!from.empty())
                items.push_back({{"id", kind + ":0/0:" + region + ":" + std::to_string(number)},
                                 {"from", from},
                                 {"line", number},
                                 {"end_line", number},
                                 {"label", std::to_string(number)},
                                 {"kernel", kernel}});
            ++number;
        }
        put("artifact", kind.c_str(),
            {{"compile", "0/0"}, {"region", region}, {"graph", region}, {"text", all}, {"items", items}});
    }

    void stage(const char* name, double ms, const char* region = "", const char* compile = "0/0") {
        put("compile", "stage_finished", {{"compile", compile}, {"region", region}, {"stage", name}, {"ms", ms}});
    }

    std::vector<trace::Record> take() { return std::move(m_records); }

private:
    std::vector<trace::Record> m_records;
};

Json ids(const std::string& prefix, std::initializer_list<const char*> names) {
    Json out = Json::array();
    for (const char* name : names) out.push_back(prefix + name);
    return out;
}

void start(Stream& s) {
    s.put("run", "trace", {{"version", 1}});
    s.put("run", "run_started",
          {{"path", file},
           {"program", program},
           {"backend", "default"},
           {"device", "cpu"},
           {"versions", {{"strata", "0.1.0"}, {"torch", "2.11"}, {"python", "3.11"}, {"clang", "19"}}}});
    Json items = Json::array();
    for (const int line : {1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17})
        items.push_back({{"id", lineId(line)},
                         {"from", Json::array()},
                         {"line", line},
                         {"end_line", line},
                         {"label", std::to_string(line)}});
    s.put("artifact", "source",
          {{"compile", ""}, {"region", ""}, {"graph", file}, {"file", file}, {"text", program}, {"items", items}});
    for (const int line : {9, 10, 11, 12})
        s.put("eager", "dispatch",
              {{"op", "aten::randn"},
               {"keys", {"BackendSelect", "CPU"}},
               {"shapes", Json::array()},
               {"dtypes", Json::array()},
               {"file", file},
               {"line", line},
               {"launches", 1}});
}

void dispatches(Stream& s) {
    const std::vector<std::tuple<const char*, const char*, const char*, Json, Json, int>> ops{
        {"aten::mm", "MmBackward0", "tape:0", {{64, 128}, {128, 256}}, {"none", "leaf:w"}, 5},
        {"aten::add.Tensor", "AddBackward0", "tape:1", {{64, 256}, {256}}, {"tape:0", "leaf:b"}, 5},
        {"aten::gelu", "GeluBackward0", "tape:2", {{64, 256}}, {"tape:1"}, 5},
        {"aten::add.Tensor", "AddBackward0", "tape:3", {{64, 256}, {64, 256}}, {"tape:2", "none"}, 6},
        {"aten::_softmax", "SoftmaxBackward0", "tape:4", {{64, 256}}, {"tape:3"}, 6},
        {"aten::sum", "SumBackward0", "tape:5", {{64, 256}}, {"tape:4"}, 7}};
    for (const auto& [op, grad, id, shapes, inputs, line] : ops) {
        Json dtypes = Json::array();
        for (std::size_t i = 0; i < shapes.size(); ++i) dtypes.push_back("float32");
        s.put("eager", "dispatch",
              {{"op", op},
               {"keys", {"AutogradCPU", "CPU"}},
               {"shapes", shapes},
               {"dtypes", dtypes},
               {"file", file},
               {"line", line},
               {"launches", 1}});
        s.put("eager", "tape_node",
              {{"id", id},
               {"from", {lineId(line)}},
               {"name", grad},
               {"op", op},
               {"inputs", inputs},
               {"saved", {"self: float32[64, 256]"}},
               {"file", file},
               {"line", line}});
    }
    for (int i = 0; i < 6; ++i)
        s.put("eager", "tape_run",
              {{"id", "tape:" + std::to_string(5 - i)}, {"order", i}, {"duration_us", 12.5 + 3 * i}});
}

void capture(Stream& s) {
    s.put("compile", "compile_started",
          {{"compile", "0/0"}, {"function", "layer"}, {"file", file}, {"line", 4}, {"reason", "first_call"}});
    const std::vector<std::tuple<int, const char*, const char*, int>> code{
        {0, "RESUME", "", 4},       {2, "LOAD_GLOBAL", "F", 5},      {12, "LOAD_ATTR", "gelu", 5},
        {22, "LOAD_FAST", "x", 5},  {24, "LOAD_FAST", "w", 5},       {26, "BINARY_OP", "@", 5},
        {30, "LOAD_FAST", "b", 5},  {32, "BINARY_OP", "+", 5},       {36, "CALL", "", 5},
        {46, "STORE_FAST", "h", 5}, {48, "LOAD_GLOBAL", "torch", 6}, {60, "LOAD_FAST", "h", 6},
        {62, "LOAD_FAST", "r", 6},  {64, "BINARY_OP", "+", 6},       {68, "CALL", "", 6},
        {78, "STORE_FAST", "p", 6}, {80, "LOAD_FAST", "p", 7},       {82, "LOAD_METHOD", "sum", 7},
        {104, "CALL", "", 7},       {114, "RETURN_VALUE", "", 7}};
    Json items = Json::array();
    std::string text;
    int line = 1;
    for (const auto& [offset, name, arg, source] : code) {
        items.push_back({{"id", "bytecode:0/0:" + std::to_string(offset)},
                         {"from", {lineId(source)}},
                         {"line", line},
                         {"end_line", line},
                         {"label", name},
                         {"offset", offset},
                         {"opname", name},
                         {"arg", 0},
                         {"argrepr", arg},
                         {"source_line", source},
                         {"jump_target", false}});
        text += std::to_string(offset) + " " + name + " " + arg + "\n";
        ++line;
    }
    s.put("artifact", "bytecode",
          {{"compile", "0/0"}, {"region", ""}, {"graph", "layer"}, {"text", text}, {"items", items}});
    for (const auto& [offset, name, arg, source] : code) {
        s.put("step", "dynamo_step",
              {{"compile", "0/0"},
               {"from", "bytecode:0/0:" + std::to_string(offset)},
               {"code", "layer"},
               {"depth", 0},
               {"stack", {"TensorVariable(float32[64, 256])"}},
               {"locals", {{"x", "TensorVariable(float32[64, 128])"}}}});
        if (offset == 22)
            s.put("step", "guard_added", {{"compile", "0/0"}, {"id", "guards:0/0:0"}, {"from", "bytecode:0/0:22"}});
    }
    const Json x{64, 128}, w{128, 256}, b{256}, h{64, 256};
    s.graph(
        "fx", "0/0", "",
        {{"l_x_", "placeholder", "L_x_", Json::array(), x, "float32", ids("", {}), "", "input"},
         {"l_w_", "placeholder", "L_w_", Json::array(), w, "float32", ids("", {}), "", "parameter"},
         {"l_b_", "placeholder", "L_b_", Json::array(), b, "float32", ids("", {}), "", "parameter"},
         {"l_r_", "placeholder", "L_r_", Json::array(), h, "float32", ids("", {}), "", "input"},
         {"matmul", "call_function", "operator.matmul", {"l_x_", "l_w_"}, h, "float32", {"bytecode:0/0:26", lineId(5)}},
         {"add", "call_function", "operator.add", {"matmul", "l_b_"}, h, "float32", {"bytecode:0/0:32", lineId(5)}},
         {"h", "call_function", "torch._C._nn.gelu", {"add"}, h, "float32", {"bytecode:0/0:36", lineId(5)}},
         {"add_1", "call_function", "operator.add", {"h", "l_r_"}, h, "float32", {"bytecode:0/0:64", lineId(6)}},
         {"p", "call_function", "torch.softmax", {"add_1"}, h, "float32", {"bytecode:0/0:68", lineId(6)}},
         {"sum_1", "call_method", "sum", {"p"}, Json::array(), "float32", {"bytecode:0/0:104", lineId(7)}},
         {"output", "output", "output", {"sum_1"}, Json::array(), "", {"bytecode:0/0:114", lineId(7)}}});
    s.stage("dynamo", 2.31);
    Json guards = Json::array();
    int index = 0;
    for (const auto& [kind, source] : std::vector<std::pair<const char*, const char*>>{{"TENSOR_MATCH", "L['x']"},
                                                                                       {"TENSOR_MATCH", "L['w']"},
                                                                                       {"TENSOR_MATCH", "L['b']"},
                                                                                       {"TENSOR_MATCH", "L['r']"},
                                                                                       {"GRAD_MODE", ""}}) {
        guards.push_back({{"id", "guards:0/0:" + std::to_string(index)},
                          {"from", {lineId(5)}},
                          {"line", index + 1},
                          {"end_line", index + 1},
                          {"label", kind},
                          {"guard_kind", kind},
                          {"source", source},
                          {"expression", std::string("check_tensor(") + source + ", size=[64, 128])"},
                          {"user_line", 5}});
        ++index;
    }
    s.put(
        "artifact", "guards",
        {{"compile", "0/0"}, {"region", ""}, {"graph", "layer"}, {"text", "TENSOR_MATCH L['x']\n"}, {"items", guards}});
    s.stage("guards", 0.12);
}

std::vector<Node> forwardNodes(const std::string& fx) {
    const Json x{64, 128}, w{128, 256}, b{256}, h{64, 256}, rows{64, 1};
    return {
        {"primals_1", "placeholder", "primals_1", Json::array(), x, "float32", {fx + "l_x_"}, "forward", "input", true},
        {"primals_2", "placeholder", "primals_2", Json::array(), w, "float32", {fx + "l_w_"}, "forward", "parameter"},
        {"primals_3",
         "placeholder",
         "primals_3",
         Json::array(),
         b,
         "float32",
         {fx + "l_b_"},
         "forward",
         "parameter",
         true},
        {"primals_4", "placeholder", "primals_4", Json::array(), h, "float32", {fx + "l_r_"}, "forward", "input", true},
        {"mm",
         "call_function",
         "aten.mm.default",
         {"primals_1", "primals_2"},
         h,
         "float32",
         {fx + "matmul"},
         "forward",
         "",
         true},
        {"add", "call_function", "aten.add.Tensor", {"mm", "primals_3"}, h, "float32", {fx + "add"}, "forward"},
        {"mul", "call_function", "aten.mul.Tensor", {"add"}, h, "float32", {fx + "h"}, "forward"},
        {"mul_1", "call_function", "aten.mul.Tensor", {"add"}, h, "float32", {fx + "h"}, "both"},
        {"erf", "call_function", "aten.erf.default", {"mul_1"}, h, "float32", {fx + "h"}, "both"},
        {"add_1", "call_function", "aten.add.Tensor", {"erf"}, h, "float32", {fx + "h"}, "both"},
        {"mul_2", "call_function", "aten.mul.Tensor", {"mul", "add_1"}, h, "float32", {fx + "h"}, "forward"},
        {"add_2", "call_function", "aten.add.Tensor", {"mul_2", "primals_4"}, h, "float32", {fx + "add_1"}, "forward"},
        {"amax", "call_function", "aten.amax.default", {"add_2"}, rows, "float32", {fx + "p"}, "forward", "", true},
        {"sub", "call_function", "aten.sub.Tensor", {"add_2", "amax"}, h, "float32", {fx + "p"}, "both"},
        {"exp", "call_function", "aten.exp.default", {"sub"}, h, "float32", {fx + "p"}, "both"},
        {"sum_1", "call_function", "aten.sum.dim_IntList", {"exp"}, rows, "float32", {fx + "p"}, "forward", "", true},
        {"div", "call_function", "aten.div.Tensor", {"exp", "sum_1"}, h, "float32", {fx + "p"}, "both"},
        {"sum_2", "call_function", "aten.sum.default", {"div"}, Json::array(), "float32", {fx + "sum_1"}, "forward"}};
}

void differentiate(Stream& s) {
    const std::string fx = "fx:0/0:", joint = "joint:0/0:";
    const Json w{128, 256}, b{256}, h{64, 256}, rows{64, 1};
    std::vector<Node> nodes = forwardNodes(fx);
    const std::vector<Node> backward{
        {"tangents_1",
         "placeholder",
         "tangents_1",
         Json::array(),
         Json::array(),
         "float32",
         {fx + "sum_1"},
         "backward",
         "tangent"},
        {"expand", "call_function", "aten.expand.default", {"tangents_1"}, h, "float32", {fx + "sum_1"}, "backward"},
        {"mul_3", "call_function", "aten.mul.Tensor", {"expand", "div"}, h, "float32", {fx + "p"}, "backward"},
        {"sum_3", "call_function", "aten.sum.dim_IntList", {"mul_3"}, rows, "float32", {fx + "p"}, "backward"},
        {"neg", "call_function", "aten.neg.default", {"div"}, h, "float32", {fx + "p"}, "backward"},
        {"fma", "call_function", "prims.fma.default", {"neg", "sum_3", "mul_3"}, h, "float32", {fx + "p"}, "backward"},
        {"mul_4", "call_function", "aten.mul.Tensor", {"fma", "add_1"}, h, "float32", {fx + "h"}, "backward"},
        {"sum_4", "call_function", "aten.sum.dim_IntList", {"mul_4"}, b, "float32", {fx + "add"}, "backward"},
        {"permute",
         "call_function",
         "aten.permute.default",
         {"primals_1"},
         {128, 64},
         "float32",
         {fx + "matmul"},
         "backward"},
        {"mm_1", "call_function", "aten.mm.default", {"permute", "mul_4"}, w, "float32", {fx + "matmul"}, "backward"},
        {"output", "output", "output", {"sum_2", "mm_1", "sum_4"}, Json::array(), "", Json::array(), "both"}};
    nodes.insert(nodes.end(), backward.begin(), backward.end());
    s.put("step", "functionalized",
          {{"compile", "0/0"}, {"from", fx + "add"}, {"op", "aten.add_.Tensor"}, {"into", {joint + "add"}}});
    s.put("step", "decomposed",
          {{"compile", "0/0"},
           {"region", ""},
           {"from", fx + "p"},
           {"op", "aten._softmax.default"},
           {"into", ids(joint, {"amax", "sub", "exp", "sum_1", "div"})}});
    s.graph("joint", "0/0", "", nodes);
    s.stage("joint", 3.4);
    for (const char* name : {"primals_1", "primals_3", "primals_4", "mm", "amax", "sum_1"})
        s.put("step", "saved",
              {{"compile", "0/0"},
               {"id", joint + name},
               {"bytes", 65536},
               {"cost", 3.0},
               {"code", name[0] == 'p' ? "input" : "cut"}});
    for (const char* name : {"mul_1", "erf", "add_1", "sub", "exp", "div"})
        s.put("step", "recomputed",
              {{"compile", "0/0"}, {"id", joint + name}, {"bytes", 65536}, {"cost", 1.0}, {"code", "fusible"}});
    std::vector<Node> forward = forwardNodes(joint);
    const char* names[] = {"primals_1", "primals_2", "primals_3", "primals_4", "mm",  "add", "mul",   "mul_1", "erf",
                           "add_1",     "mul_2",     "add_2",     "amax",      "sub", "exp", "sum_1", "div",   "sum_2"};
    for (std::size_t i = 0; i < forward.size(); ++i) forward[i].from = Json::array({joint + names[i]});
    s.graph("forward", "0/0", "forward", forward);
    std::vector<Node> back;
    for (Node n : backward) {
        n.from = Json::array({joint + n.name});
        if (n.name == "mul_3") n.inputs = {"expand"};
        if (n.name == "neg") n.inputs = {"expand"};
        if (n.name == "mul_4") n.inputs = {"fma"};
        if (n.name == "permute") n.inputs = Json::array();
        if (n.name == "output") n.inputs = {"mm_1", "sum_4"};
        back.push_back(std::move(n));
    }
    s.graph("backward", "0/0", "backward", back);
    s.stage("partition", 1.1);
}

void lower(Stream& s) {
    const Json h{64, 256}, rows{64, 1};
    const std::string f = "forward:0/0:";
    s.put("step", "decomposed",
          {{"compile", "0/0"},
           {"region", "forward"},
           {"from", f + "add"},
           {"op", "aten.add.Tensor"},
           {"into", ids("prims:0/0:forward:", {"broadcast_in_dim", "add"})}});
    s.graph(
        "prims", "0/0", "forward",
        {{"primals_1", "placeholder", "primals_1", Json::array(), {64, 128}, "float32", {f + "primals_1"}},
         {"primals_2", "placeholder", "primals_2", Json::array(), {128, 256}, "float32", {f + "primals_2"}},
         {"primals_3", "placeholder", "primals_3", Json::array(), {256}, "float32", {f + "primals_3"}},
         {"mm", "call_function", "aten.mm.default", {"primals_1", "primals_2"}, h, "float32", {f + "mm"}},
         {"broadcast_in_dim",
          "call_function",
          "prims.broadcast_in_dim.default",
          {"primals_3"},
          h,
          "float32",
          {f + "add"}},
         {"add", "call_function", "prims.add.default", {"mm", "broadcast_in_dim"}, h, "float32", {f + "add"}},
         {"mul", "call_function", "prims.mul.default", {"add"}, h, "float32", {f + "mul"}},
         {"erf", "call_function", "prims.erf.default", {"mul"}, h, "float32", {f + "erf"}},
         {"amax", "call_function", "prims.amax.default", {"erf"}, {64}, "float32", {f + "amax"}},
         {"broadcast_in_dim_1", "call_function", "prims.broadcast_in_dim.default", {"amax"}, h, "float32", {f + "sub"}},
         {"sub", "call_function", "prims.sub.default", {"erf", "broadcast_in_dim_1"}, h, "float32", {f + "sub"}},
         {"exp", "call_function", "prims.exp.default", {"sub"}, h, "float32", {f + "exp"}},
         {"output", "output", "output", {"exp"}, Json::array(), "", Json::array()}});
    s.stage("prims", 0.6, "forward");
    const std::string loops = "loops:0/0:forward:", fused = "fused_loops:0/0:forward:";
    Json items = Json::array();
    const auto loop = [&](const char* name, const char* op, const char* target,
                          std::initializer_list<const char*> inputs, Json from, Json shape, Json reduced, int bytes) {
        items.push_back({{"id", loops + name},
                         {"from", std::move(from)},
                         {"line", static_cast<int>(items.size()) + 1},
                         {"end_line", static_cast<int>(items.size()) + 1},
                         {"label", name},
                         {"op", op},
                         {"target", target},
                         {"inputs", ids(loops, inputs)},
                         {"dtype", "float32"},
                         {"shape", shape},
                         {"ranges", shape},
                         {"reduction_ranges", std::move(reduced)},
                         {"bytes", bytes}});
    };
    loop("primals_1", "input", "", {}, {f + "primals_1"}, {64, 128}, Json::array(), 32768);
    loop("primals_2", "input", "", {}, {f + "primals_2"}, {128, 256}, Json::array(), 131072);
    loop("primals_3", "input", "", {}, {f + "primals_3"}, {256}, Json::array(), 1024);
    loop("primals_4", "input", "", {}, {f + "primals_4"}, h, Json::array(), 65536);
    loop("buf0", "extern", "mm", {"primals_1", "primals_2"}, {f + "mm"}, h, Json::array(), 65536);
    loop("buf1", "pointwise", "gelu_add", {"buf0", "primals_3", "primals_4"},
         ids(f, {"add", "mul", "erf", "mul_2", "add_2"}), h, Json::array(), 65536);
    loop("buf2", "reduction", "amax", {"buf1"}, {f + "amax"}, rows, {256}, 256);
    loop("buf3", "pointwise", "exp", {"buf1", "buf2"}, ids(f, {"sub", "exp"}), h, Json::array(), 65536);
    loop("buf4", "reduction", "sum", {"buf3"}, {f + "sum_1"}, rows, {256}, 256);
    loop("buf5", "pointwise", "div", {"buf3", "buf4"}, {f + "div"}, h, Json::array(), 65536);
    loop("buf6", "reduction", "sum", {"buf5"}, {f + "sum_2"}, Json::array(), {64, 256}, 4);
    s.put("artifact", "loops",
          {{"compile", "0/0"},
           {"region", "forward"},
           {"graph", "forward"},
           {"text", "buf0 = extern mm\n"},
           {"items", items}});
    s.stage("lowering", 0.9, "forward");
    const auto fusion = [&](const char* a, const char* b, bool yes, const char* rule, int score,
                            Json values = Json::object()) {
        s.put("step", "fusion",
              {{"compile", "0/0"},
               {"region", "forward"},
               {"a", loops + a},
               {"b", loops + b},
               {"fused", yes},
               {"rule", rule},
               {"score", score},
               {"values", std::move(values)}});
    };
    fusion("buf0", "buf1", false, "library_call", 131072, {{"op", "mm"}});
    fusion("buf1", "buf2", true, "reduction_prologue", 131072);
    fusion("buf1", "buf3", true, "producer_consumer", 131072);
    fusion("buf3", "buf4", true, "reduction_prologue", 131072);
    fusion("buf4", "buf5", true, "reduction_epilogue", 65536);
    fusion("buf5", "buf6", false, "different_ranges", 131072, {{"a", "[64, 256]"}, {"b", "[16384]"}});
    const std::string kernel = "cpp_fused_add_amax_div_exp_gelu_sum_0";
    Json kernels = Json::array();
    kernels.push_back({{"id", fused + "buf0"},
                       {"from", {loops + "buf0"}},
                       {"line", 1},
                       {"end_line", 2},
                       {"label", "mm"},
                       {"op", "extern"},
                       {"inputs", Json::array()},
                       {"nodes", {loops + "buf0"}},
                       {"bytes", 229376},
                       {"kernel", "mm"}});
    kernels.push_back({{"id", fused + kernel},
                       {"from", ids(loops, {"buf1", "buf2", "buf3", "buf4", "buf5"})},
                       {"line", 3},
                       {"end_line", 8},
                       {"label", kernel},
                       {"op", "kernel"},
                       {"inputs", {fused + "buf0"}},
                       {"nodes", ids(loops, {"buf1", "buf2", "buf3", "buf4", "buf5"})},
                       {"bytes", 197632},
                       {"kernel", kernel}});
    kernels.push_back({{"id", fused + "cpp_fused_sum_1"},
                       {"from", {loops + "buf6"}},
                       {"line", 9},
                       {"end_line", 10},
                       {"label", "cpp_fused_sum_1"},
                       {"op", "kernel"},
                       {"inputs", {fused + kernel}},
                       {"nodes", {loops + "buf6"}},
                       {"bytes", 65540},
                       {"kernel", "cpp_fused_sum_1"}});
    s.put("artifact", "fused_loops",
          {{"compile", "0/0"}, {"region", "forward"}, {"graph", "forward"}, {"text", "mm:\n"}, {"items", kernels}});
    s.stage("scheduling", 0.7, "forward");
    s.put("artifact", "memory_plan",
          {{"compile", "0/0"},
           {"region", "forward"},
           {"graph", "forward"},
           {"text", "buf0: 65536 bytes\n"},
           {"items", Json::array({{{"id", "memory_plan:0/0:forward:buf0"},
                                   {"from", {loops + "buf0"}},
                                   {"line", 1},
                                   {"end_line", 1},
                                   {"label", "buf0"},
                                   {"bytes", 65536},
                                   {"first", 0},
                                   {"last", 1},
                                   {"slot", 0},
                                   {"reuses", ""}}})}});
    s.text("wrapper", "forward",
           {{"def call(args):", Json::array()},
            {"    extern_kernels.mm(primals_1, primals_2, out=buf0)", {fused + "buf0"}},
            {"    " + kernel + "(buf0, primals_3, primals_4, buf5)", {fused + kernel}}},
           kernel);
    s.text("cpp", "forward",
           {{"extern \"C\" void " + kernel + "(const float* in0, float* out)", {fused + kernel}},
            {"{", Json::array()},
            {"    for (long d0 = 0; d0 < 64; ++d0) {", {fused + kernel, loops + "buf1"}},
            {"        float amax = -INFINITY;", {fused + kernel, loops + "buf2"}},
            {"    }", Json::array()},
            {"}", Json::array()}},
           kernel);
    s.text("llvm", "forward",
           {{"define void @kernel() {", {"cpp:0/0:forward:1"}},
            {"  %1 = fmul <16 x float> %0, %0", {"cpp:0/0:forward:3"}}},
           kernel);
    s.text("asm", "forward",
           {{"kernel:", {"cpp:0/0:forward:1"}},
            {"    vmulps zmm0, zmm0, zmm0", {"cpp:0/0:forward:3"}},
            {"    ret", Json::array()}},
           kernel);
    s.stage("codegen", 1.3, "forward");
    s.stage("clang", 14.2, "forward");
    s.put("compile", "compile_finished",
          {{"compile", "0/0"}, {"status", "ok"}, {"ms", 31.7}, {"ops", 6}, {"guards", 5}});
    s.put("compile", "cache", {{"event", "miss"}, {"compile", "0/0"}, {"function", "layer"}});
}

void measure(Stream& s) {
    const auto launch = [&](const char* mode, const char* kernel, const char* region, int call, double start, double us,
                            Json from) {
        s.put("measure", "launch",
              {{"kernel", kernel},
               {"op", ""},
               {"region", region},
               {"mode", mode},
               {"device", "cpu"},
               {"start_us", start},
               {"duration_us", us},
               {"bytes", 65536},
               {"from", std::move(from)},
               {"call", call}});
    };
    const char* eager[] = {"mm", "add", "gelu", "add", "softmax", "sum"};
    double at = 0;
    for (const char* kernel : eager) {
        launch("eager", kernel, "", 0, at, 21.5, Json::array());
        at += 30;
    }
    for (int call = 0; call < 2; ++call) {
        launch("compiled", "mm", "forward", call, at, 18.0, {"fused_loops:0/0:forward:buf0"});
        launch("compiled", "cpp_fused_add_amax_div_exp_gelu_sum_0", "forward", call, at + 20, 24.0,
               {"fused_loops:0/0:forward:cpp_fused_add_amax_div_exp_gelu_sum_0"});
        launch("compiled", "cpp_fused_sum_1", "forward", call, at + 46, 4.0,
               {"fused_loops:0/0:forward:cpp_fused_sum_1"});
        s.put(
            "measure", "guard_check",
            {{"compile", "0/0"}, {"function", "layer"}, {"passed", true}, {"failed", ""}, {"ns", 840.0 - 200 * call}});
        s.put("measure", "call",
              {{"mode", "compiled"}, {"region", "forward"}, {"call", call}, {"duration_us", 60.0}, {"launches", 3}});
        if (call == 1) s.put("compile", "cache", {{"event", "hit"}, {"compile", "0/0"}, {"function", "layer"}});
    }
    s.put("compile", "cache",
          {{"event", "recompile"},
           {"compile", "0/1"},
           {"function", "layer"},
           {"guard", "guards:0/0:0"},
           {"guard_text", "size of L['x'] at 0"},
           {"observed", "32"}});
    s.put("compile", "compile_started",
          {{"compile", "0/1"}, {"function", "layer"}, {"file", file}, {"line", 4}, {"reason", "guard_failed"}});
    s.graph("fx", "0/1", "",
            {{"s0", "placeholder", "s0", Json::array(), Json::array(), "int64", ids("", {}), "", "size"},
             {"l_x_", "placeholder", "L_x_", Json::array(), {"s0", 128}, "float32", ids("", {}), "", "input"},
             {"l_w_", "placeholder", "L_w_", Json::array(), {128, 256}, "float32", ids("", {}), "", "parameter"},
             {"matmul", "call_function", "operator.matmul", {"l_x_", "l_w_"}, {"s0", 256}, "float32", {lineId(5)}},
             {"output", "output", "output", {"matmul"}, Json::array(), "", {lineId(7)}}});
    s.put("compile", "compile_finished",
          {{"compile", "0/1"}, {"status", "ok"}, {"ms", 22.4}, {"ops", 6}, {"guards", 6}});
    s.put("compile", "compile_started",
          {{"compile", "1/0"}, {"function", "noisy"}, {"file", file}, {"line", 9}, {"reason", "first_call"}});
    s.put("step", "graph_break",
          {{"compile", "1/0"},
           {"code", "print"},
           {"values", Json::object()},
           {"file", file},
           {"line", 17},
           {"from", {lineId(17)}}});
    s.put("compile", "compile_finished",
          {{"compile", "1/0"},
           {"status", "graph_break"},
           {"ms", 0.9},
           {"ops", 0},
           {"guards", 1},
           {"code", "print"},
           {"file", file},
           {"line", 17},
           {"hint_values", Json::object()}});
    s.put("run", "stdout", {{"text", "64.0\n"}, {"stream", "stdout"}});
    s.put("measure", "measured", {{"mode", "eager"}, {"runs", 20}, {"median_us", 212.0}, {"launches", 6}});
    s.put("measure", "measured", {{"mode", "compiled"}, {"runs", 20}, {"median_us", 71.0}, {"launches", 3}});
    s.put("run", "run_finished",
          {{"status", "ok"},
           {"exit_code", 0},
           {"seconds", 0.21},
           {"counters",
            {{"eager_launches", 10},
             {"compiled_launches", 6},
             {"compiles", 3},
             {"graph_breaks", 1},
             {"cache_hits", 1},
             {"cache_misses", 1},
             {"recompiles", 1},
             {"kernels_compiled", 2},
             {"kernel_cache_hits", 0}}}});
}

} // namespace

std::vector<trace::Record> sampleTrace() {
    Stream s;
    start(s);
    dispatches(s);
    capture(s);
    differentiate(s);
    lower(s);
    measure(s);
    return s.take();
}

std::vector<trace::Record> longEagerTrace(int count) {
    Stream s;
    s.put("run", "trace", {{"version", 1}});
    for (int i = 0; i < count; ++i) {
        s.put("eager", "dispatch",
              {{"op", "aten::add.Tensor"},
               {"keys", {"AutogradCPU", "CPU"}},
               {"shapes", {{4, 4}, {4, 4}}},
               {"dtypes", {"float32", "float32"}},
               {"file", file},
               {"line", 1 + i % 20},
               {"launches", 1}});
        s.put("measure", "launch",
              {{"kernel", "add"},
               {"op", "aten::add.Tensor"},
               {"region", ""},
               {"mode", "eager"},
               {"device", "cpu"},
               {"start_us", 1.0 * i},
               {"duration_us", 0.5},
               {"bytes", 192},
               {"from", Json::array()},
               {"call", 0}});
    }
    return s.take();
}

std::vector<trace::Record> largeGraphTrace(int nodes, int width) {
    Stream s;
    std::vector<Node> graph;
    for (int i = 0; i < nodes; ++i) {
        Json inputs = Json::array();
        if (i >= width) inputs.push_back("n" + std::to_string(i - width));
        if (i >= width && i % 5 == 0) inputs.push_back("n" + std::to_string(i - width - (i >= width + 2 ? i % 3 : 0)));
        graph.push_back({"n" + std::to_string(i),
                         i < width ? "placeholder" : "call_function",
                         i < width ? "x" : "aten.add.Tensor",
                         inputs,
                         {64, 64},
                         "float32",
                         {lineId(1 + i % 20)}});
    }
    s.put("run", "trace", {{"version", 1}});
    s.put("compile", "compile_started",
          {{"compile", "0/0"}, {"function", "large"}, {"file", file}, {"line", 1}, {"reason", "first_call"}});
    s.graph("fx", "0/0", "", graph);
    s.put("compile", "compile_finished",
          {{"compile", "0/0"}, {"status", "ok"}, {"ms", 100.0}, {"ops", nodes}, {"guards", 3}});
    return s.take();
}

} // namespace strata::tests
