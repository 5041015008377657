#include "engine/ops/Element.h"

#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace strata::ops {

namespace loops {

Level level() {
    static const Level best = [] {
        const char* wanted = std::getenv("STRATA_CPU_LEVEL");
        const std::string_view limit = wanted ? wanted : "v4";
        Level found = Level::Baseline;
#if defined(__x86_64__)
        __builtin_cpu_init();
        if (limit != "baseline" && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
            __builtin_cpu_supports("bmi2"))
            found = Level::V3;
        if (found == Level::V3 && limit != "v3" && __builtin_cpu_supports("avx512f") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
            found = Level::V4;
#endif
        return found;
    }();
    return best;
}

} // namespace loops

namespace {

using support::Error;
using support::ErrorKind;

// Elements a run: operands and result of the widest type stay in the first-level cache.
constexpr std::int64_t runLength = 1024;

struct alignas(64) RunBuffer {
    char bytes[runLength * sizeof(double)];
};

bool isParameter(const Param& param, const Value& arg) {
    if (arg.isNone()) return false;
    switch (param.type) {
    case TypeName::Scalar:
    case TypeName::Float:
    case TypeName::Bool:
    case TypeName::Int:
        return true;
    default:
        return false;
    }
}

void storeScalar(char* to, DType dtype, const Scalar& value) {
    tensor::visit(dtype, "scalar", [&]<class T>() {
        if (const auto* d = std::get_if<double>(&value))
            *reinterpret_cast<T*>(to) = static_cast<T>(*d);
        else if (const auto* b = std::get_if<bool>(&value))
            *reinterpret_cast<T*>(to) = static_cast<T>(*b);
        else
            *reinterpret_cast<T*>(to) = static_cast<T>(std::get<SymInt>(value).asInt());
    });
}

// One call of an elementwise kernel: operands brought to the compute dtype, run by run.
class ElementRun {
public:
    ElementRun(const OpDef& op, const Values& args, Tensor& output)
        : m_form(op.element->form(args)), m_compute(computeDType(op, args)), m_output(output) {
        const int row = loops::rowOf(m_compute);
        if (row < 0 || !m_form.rows[row]) tensor::throwNotImplemented(op.baseName(), m_compute);
        m_loop = m_form.rows[row].byLevel[static_cast<std::size_t>(loops::level())];
        m_result = m_form.rows[row].result;
        collectOperands(op, args);
        const std::vector<Scalar> parameters = elementParameters(op, args);
        if (static_cast<int>(parameters.size()) < m_form.parameters)
            throw Error("ops: too few parameters for " + op.qualified);
        for (int p = 0; p < m_form.parameters; ++p)
            storeScalar(m_parameters + static_cast<std::size_t>(p) * tensor::itemSize(m_compute), m_compute,
                        parameters[p]);
        if (op.element->integerDivision && m_compute == DType::Int64) checkDivisor();
    }

    void run(double cost) {
        std::array<const Tensor*, maxOperands> pointers{&m_output};
        for (int k = 0; k < m_form.operands; ++k) pointers[k + 1] = &m_operands[k];
        m_space = stridedSpace(m_output.sizes(), {pointers.data(), static_cast<std::size_t>(m_form.operands) + 1});
        if (m_space.numel == 0) return;
        if (allDense())
            parallelFor(m_space.numel, cost, [&](auto b, auto e) { runDense(b, e); });
        else
            parallelFor(m_space.numel, cost * 2, [&](auto b, auto e) { runBuffered(b, e); });
    }

private:
    DType operandDType(int k) const { return (m_form.boolOperands >> k) & 1U ? DType::Bool : m_compute; }

    void collectOperands(const OpDef& op, const Values& args) {
        int k = 0;
        for (std::size_t i = 0; i < op.schema.params.size() && i < args.size(); ++i) {
            if (op.schema.params[i].type != TypeName::Tensor || args[i].isNone()) continue;
            if (k == m_form.operands) throw Error("ops: too many operands for " + op.qualified);
            if (const auto* tensor = args[i].as<Tensor>()) {
                if (!tensor->defined()) continue;
                m_operands[k++] = *tensor;
            } else {
                Tensor number = Tensor::empty({}, operandDType(k));
                storeScalar(number.data<char>(), number.dtype(), args[i].scalar());
                m_operands[k++] = std::move(number);
            }
        }
        if (k != m_form.operands) throw Error("ops: too few operands for " + op.qualified);
    }

    // PyTorch raises for an integer division by zero before it writes anything.
    void checkDivisor() const {
        bool zero = false;
        if (m_form.operands > 1) {
            const Tensor& divisor = m_operands[1];
            const Tensor* only[] = {&divisor};
            const StridedSpace space = stridedSpace(divisor.sizes(), only);
            forEachRow(space, 0, space.numel, [&](auto& at, std::int64_t count) {
                tensor::visit(divisor.dtype(), "div", [&]<class T>() {
                    for (std::int64_t i = 0; i < count; ++i)
                        zero |= *reinterpret_cast<const T*>(at[0] + i * space.strides[0][0]) == T(0);
                });
            });
        } else {
            std::int64_t value = 0;
            std::memcpy(&value, m_parameters, sizeof value);
            zero = value == 0;
        }
        if (zero && !m_output.numel().sameAs(0)) throw Error("ZeroDivisionError");
    }

    // Whether the loop can run on the tensors' own memory, numbers and 0-dim tensors aside.
    bool allDense() {
        if (m_output.dtype() != m_result || !m_space.isDense(0, tensor::itemSize(m_result))) return false;
        for (int k = 0; k < m_form.operands; ++k) {
            const bool dense =
                m_operands[k].dtype() == operandDType(k) && m_space.isDense(k + 1, tensor::itemSize(operandDType(k)));
            if (!dense && !m_space.isOneElement(k + 1)) return false;
        }
        return true;
    }

    // Operands of one element are spread over a run once; the others are read where they are.
    void runDense(std::int64_t begin, std::int64_t end) const {
        std::array<RunBuffer, 3> spread;
        std::array<char*, maxOperands> data{};
        std::array<std::int64_t, maxOperands> step{};
        data[0] = m_space.data[0] + begin * static_cast<std::int64_t>(tensor::itemSize(m_result));
        step[0] = static_cast<std::int64_t>(tensor::itemSize(m_result));
        int spreads = 0;
        const std::int64_t longest = std::min(runLength, end - begin);
        for (int k = 0; k < m_form.operands; ++k) {
            const DType dtype = operandDType(k);
            const auto item = static_cast<std::int64_t>(tensor::itemSize(dtype));
            const bool inPlace = m_operands[k].dtype() == dtype && (m_space.numel == 1 || !m_space.isOneElement(k + 1));
            if (inPlace) {
                data[k + 1] = m_space.data[k + 1] + begin * item;
                step[k + 1] = item;
                continue;
            }
            if (spreads == 3) { // all operands are numbers or 0-dim: rare enough to go the general way
                runBuffered(begin, end);
                return;
            }
            data[k + 1] = spread[spreads++].bytes;
            convertStrided(data[k + 1], item, dtype, m_space.data[k + 1], 0, m_operands[k].dtype(), longest);
        }
        if (spreads == 0) {
            m_loop(data.data(), end - begin, m_parameters);
            return;
        }
        for (; begin < end; begin += runLength) {
            m_loop(data.data(), std::min(runLength, end - begin), m_parameters);
            for (int k = 0; k <= m_form.operands; ++k) data[k] += runLength * step[k];
        }
    }

    // Gathers each operand's run into a dense buffer of the compute dtype, runs the loop, scatters the result.
    void runBuffered(std::int64_t begin, std::int64_t end) const {
        std::array<RunBuffer, maxOperands> buffers;
        std::array<char*, maxOperands> data{};
        for (int k = 0; k <= m_form.operands; ++k) data[k] = buffers[k].bytes;
        for (; begin < end; begin += runLength) {
            const std::int64_t count = std::min(runLength, end - begin);
            std::int64_t done = 0;
            forEachRow(m_space, begin, begin + count, [&](auto& at, std::int64_t length) {
                for (int k = 0; k < m_form.operands; ++k) {
                    const DType dtype = operandDType(k);
                    const auto item = static_cast<std::int64_t>(tensor::itemSize(dtype));
                    convertStrided(data[k + 1] + done * item, item, dtype, at[k + 1], m_space.strides[k + 1][0],
                                   m_operands[k].dtype(), length);
                }
                done += length;
            });
            m_loop(data.data(), count, m_parameters);
            done = 0;
            const auto item = static_cast<std::int64_t>(tensor::itemSize(m_result));
            forEachRow(m_space, begin, begin + count, [&](auto& at, std::int64_t length) {
                convertStrided(at[0], m_space.strides[0][0], m_output.dtype(), data[0] + done * item, item, m_result,
                               length);
                done += length;
            });
        }
    }

    const ElementForm& m_form;
    DType m_compute, m_result = DType::Float32;
    Tensor& m_output;
    loops::Loop m_loop = nullptr;
    std::array<Tensor, maxOperands> m_operands;
    StridedSpace m_space;
    alignas(8) char m_parameters[6 * sizeof(double)]{};
};

loop::Value constantOf(const Scalar& scalar, DType dtype) {
    if (const auto* i = std::get_if<SymInt>(&scalar); i && i->isSymbolic()) return loop::Value::index(*i).cast(dtype);
    return loop::Value::constant(toDouble(scalar), dtype);
}

} // namespace

std::shared_ptr<const Element> elementOf(int (*choose)(const Values& args), std::vector<ElementForm> forms,
                                         ElementOptions options) {
    return std::make_shared<const Element>(Element{std::move(forms), choose, options.cost, options.integerDivision});
}

std::vector<Scalar> elementParameters(const OpDef& op, const Values& args) {
    std::vector<Scalar> result;
    for (std::size_t i = 0; i < op.schema.params.size() && i < args.size(); ++i)
        if (isParameter(op.schema.params[i], args[i])) result.push_back(args[i].scalar());
    return result;
}

Body elementBody(const OpDef& op) {
    return [&op](std::span<const loop::Value> operands, const Values& args) {
        const ElementForm& form = op.element->form(args);
        std::vector<loop::Value> inputs(operands.begin(), operands.end());
        if (static_cast<int>(inputs.size()) != form.operands)
            throw Error("ops: wrong number of operands for the body of " + op.qualified);
        DType compute = DType::Float32;
        for (int k = 0; k < form.operands; ++k)
            if (!((form.boolOperands >> k) & 1U)) compute = inputs[k].dtype();
        const std::vector<Scalar> parameters = elementParameters(op, args);
        for (int p = 0; p < form.parameters; ++p)
            inputs.push_back(constantOf(parameters.at(static_cast<std::size_t>(p)), compute));
        return form.lower(inputs);
    };
}

loop::Value lowerElement(const OpDef& op, const Values& args, std::span<const loop::Value> loads) {
    const ElementForm& form = op.element->form(args);
    const DType compute = computeDType(op, args);
    const auto dtypeOfOperand = [&](std::size_t k) { return (form.boolOperands >> k) & 1U ? DType::Bool : compute; };
    std::vector<loop::Value> inputs;
    std::size_t load = 0;
    for (std::size_t i = 0; i < op.schema.params.size() && i < args.size(); ++i) {
        if (op.schema.params[i].type != TypeName::Tensor || args[i].isNone()) continue;
        const DType dtype = dtypeOfOperand(inputs.size());
        if (!args[i].as<Tensor>())
            inputs.push_back(constantOf(args[i].scalar(), dtype));
        else if (load >= loads.size())
            throw Error("ops: too few loads for " + op.qualified);
        else
            inputs.push_back(loads[load++].cast(dtype));
    }
    const std::vector<Scalar> parameters = elementParameters(op, args);
    for (int p = 0; p < form.parameters; ++p)
        inputs.push_back(constantOf(parameters.at(static_cast<std::size_t>(p)), compute));
    return form.lower(inputs).cast(resultDType(op, args));
}

TensorMeta elementMeta(const OpDef& op, const Values& args) {
    const Tensors tensors = shape::tensorsOf(args);
    TensorMeta meta;
    if (!tensors.empty()) meta.sizes = tensors.front().sizes();
    for (std::size_t i = 1; i < tensors.size(); ++i) meta.sizes = shape::broadcast(meta.sizes, tensors[i].sizes());
    if (op.inPlace) {
        if (!symbolic::sameAs(meta.sizes, tensors.front().sizes()) &&
            !symbolic::equal(meta.sizes, tensors.front().sizes()))
            throw Error("output with shape " + shape::text(tensors.front().sizes()) +
                        " doesn't match the broadcast shape " + shape::text(meta.sizes));
        meta.strides = tensors.front().strides();
    } else {
        meta.strides = shape::outputStrides(meta.sizes, tensors);
    }
    meta.dtype = resultDType(op, args);
    meta.device = shape::deviceOf(args);
    return meta;
}

void runElement(const OpDef& op, const Values& args, Tensor& output) {
    ElementRun(op, args, output).run(op.element->cost);
}

} // namespace strata::ops
