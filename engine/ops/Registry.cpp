#include "engine/ops/Registry.h"

#include "engine/ops/Element.h"
#include "engine/ops/Families.h"
#include "engine/support/Error.h"

#include <cctype>
#include <deque>
#include <unordered_map>

namespace strata::ops {

namespace {

using support::Error;
using support::ErrorKind;

std::string qualify(const Schema& schema) {
    return "aten." + schema.name + "." + (schema.overload.empty() ? "default" : schema.overload);
}

// What the declaration leaves to be derived.
void complete(OpDef& op) {
    op.qualified = qualify(op.schema);
    op.tensorParams.clear();
    for (std::size_t i = 0; i < op.schema.params.size(); ++i) {
        const TypeName type = op.schema.params[i].type;
        if (type == TypeName::Tensor || type == TypeName::Tensors) op.tensorParams.push_back(static_cast<int>(i));
    }
    if (!op.schema.params.empty() && op.schema.params[0].written) op.inPlace = true;
    if (op.kind == Kind::View || op.kind == Kind::Composite) op.launches = 0;
}

// "_log_softmax" -> "LogSoftmaxBackward"
std::string nodePrefix(std::string_view name) {
    std::string result;
    bool upper = true;
    for (const char c : name) {
        if (c == '_') {
            upper = true;
            continue;
        }
        result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        upper = false;
    }
    if (result.size() > 7 && result.ends_with("Forward")) result.resize(result.size() - 7);
    return result + "Backward";
}

// The meta function and kernel of a pointwise op hold the op itself, so they are made once it has its final address.
void deriveFromElement(OpDef& op) {
    if (!op.element) return;
    if (!op.body) op.body = elementBody(op);
    if (!op.meta) op.meta = [&op](const Values& args) { return std::vector<TensorMeta>{elementMeta(op, args)}; };
    if (!op.kernel)
        op.kernel = [&op](const Values& args, std::span<Tensor> outputs) { runElement(op, args, outputs[0]); };
}

// From the declaration, before anything was derived for the functional form.
OpDef inPlaceForm(OpDef form, const OpDef& functional) {
    form.functional = &functional;
    form.inPlace = true;
    form.inPlaceVariant = false;
    form.schema.name += "_";
    form.schema.params.at(0).written = true;
    std::string text = functional.schema.text;
    text.insert(text.find_first_of(".("), "_");
    const std::size_t self = text.find("Tensor", text.find('('));
    text.replace(self, 6, "Tensor(a!)");
    text.replace(text.rfind("Tensor"), 6, "Tensor(a!)");
    form.schema.text = text;
    form.decomposition = nullptr; // functionalization turns it into `functional` first
    return form;
}

class Table {
public:
    Table() {
        for (const auto family :
             {arithmeticOps, comparisonOps, selectionOps, unaryOps, activationOps, smoothActivationOps, copyOps,
              reductionOps, viewOps, creationOps, gatherOps, matmulOps, nnOps, randomOps})
            for (OpDef& op : family()) declare(std::move(op));
    }

    const std::vector<const OpDef*>& all() const { return m_all; }
    const OpDef* find(std::string_view name) const {
        const auto it = m_byName.find(std::string(name));
        return it == m_byName.end() ? nullptr : it->second;
    }
    const std::vector<const OpDef*>& overloads(std::string_view name) const {
        static const std::vector<const OpDef*> none;
        const auto it = m_byBase.find(std::string(name));
        return it == m_byBase.end() ? none : it->second;
    }

private:
    OpDef& insert(OpDef op) {
        complete(op);
        OpDef& stored = m_ops.emplace_back(std::move(op));
        stored.id = static_cast<int>(m_all.size());
        if (!m_byName.emplace(stored.qualified, &stored).second)
            throw Error("ops: " + stored.qualified + " is declared twice");
        if (stored.nodeName.empty()) {
            int earlier = 0;
            for (const OpDef* other : m_byBase[stored.schema.name]) earlier += other->derivative.has_value() ? 1 : 0;
            stored.nodeName = nodePrefix(stored.schema.name) + std::to_string(earlier);
        }
        m_all.push_back(&stored);
        m_byBase[stored.schema.name].push_back(&stored);
        deriveFromElement(stored);
        return stored;
    }

    void declare(OpDef op) {
        if (!op.inPlaceVariant) {
            insert(std::move(op));
            return;
        }
        OpDef& functional = insert(op);
        op.nodeName = functional.nodeName;
        functional.inPlaceForm = &insert(inPlaceForm(std::move(op), functional));
    }

    std::deque<OpDef> m_ops;
    std::vector<const OpDef*> m_all;
    std::unordered_map<std::string, const OpDef*> m_byName;
    std::unordered_map<std::string, std::vector<const OpDef*>> m_byBase;
};

const Table& table() {
    static const Table* const table = new Table;
    return *table;
}

Caller* currentCaller = nullptr;

} // namespace

const std::vector<const OpDef*>& all() {
    return table().all();
}
const OpDef* find(std::string_view qualifiedName) {
    return table().find(qualifiedName);
}

const OpDef& get(std::string_view qualifiedName) {
    if (const OpDef* op = find(qualifiedName)) return *op;
    throw Error(ErrorKind::NotImplemented, "There is no operator " + std::string(qualifiedName));
}

std::vector<const OpDef*> overloads(std::string_view baseName) {
    return table().overloads(baseName);
}

void setCaller(Caller* caller) {
    currentCaller = caller;
}
Caller* caller() {
    return currentCaller;
}

Values call(const OpDef& op, Values args) {
    if (!currentCaller) throw Error("ops: no dispatcher is installed");
    for (std::size_t i = args.size(); i < op.schema.params.size(); ++i)
        args.push_back(op.schema.params[i].defaultValue);
    return currentCaller->call(op, std::move(args));
}

} // namespace strata::ops
