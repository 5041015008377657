#include "views/model/Fields.h"

#include <limits>

namespace strata::model::fields {

using trace::Json;

const Json* find(const Json& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

QString text(const Json& object, const char* name) {
    const Json* field = find(object, name);
    return field && field->is_string() ? QString::fromStdString(field->get_ref<const std::string&>()) : QString();
}

std::string string(const Json& object, const char* name) {
    const Json* field = find(object, name);
    return field && field->is_string() ? field->get_ref<const std::string&>() : std::string();
}

qint64 integer(const Json& object, const char* name, qint64 otherwise) {
    const Json* field = find(object, name);
    if (!field) return otherwise;
    if (field->is_number_integer()) return field->get<qint64>();
    // A float beyond the range of integers has no integer value.
    if (!field->is_number_float()) return otherwise;
    const double value = field->get<double>();
    return value > -9.2e18 && value < 9.2e18 ? static_cast<qint64>(value) : otherwise;
}

int small(const Json& object, const char* name, int otherwise) {
    const qint64 value = integer(object, name, otherwise);
    const bool fits = value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
    return fits ? static_cast<int>(value) : otherwise;
}

double number(const Json& object, const char* name, double otherwise) {
    const Json* field = find(object, name);
    return field && field->is_number() ? field->get<double>() : otherwise;
}

bool flag(const Json& object, const char* name, bool otherwise) {
    const Json* field = find(object, name);
    return field && field->is_boolean() ? field->get<bool>() : otherwise;
}

QString shown(const Json& value) {
    if (value.is_string()) return QString::fromStdString(value.get_ref<const std::string&>());
    if (value.is_array()) {
        QStringList parts;
        for (const Json& entry : value) parts.append(shown(entry));
        return QStringLiteral("[") + parts.join(QStringLiteral(", ")) + QStringLiteral("]");
    }
    if (value.is_null()) return {};
    return QString::fromStdString(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

QString shown(const Json& object, const char* name) {
    const Json* field = find(object, name);
    return field ? shown(*field) : QString();
}

QStringList texts(const Json& object, const char* name) {
    const Json* field = find(object, name);
    QStringList out;
    if (!field) return out;
    if (field->is_string()) return {shown(*field)};
    if (!field->is_array()) return out;
    for (const Json& entry : *field) out.append(shown(entry));
    return out;
}

std::vector<std::string> strings(const Json& object, const char* name) {
    const Json* field = find(object, name);
    std::vector<std::string> out;
    if (!field) return out;
    if (field->is_string()) return {field->get_ref<const std::string&>()};
    if (!field->is_array()) return out;
    for (const Json& entry : *field)
        if (entry.is_string()) out.push_back(entry.get_ref<const std::string&>());
    return out;
}

Values values(const Json& object, const char* name) {
    const Json* field = find(object, name);
    Values out;
    if (!field || !field->is_object()) return out;
    for (const auto& [key, value] : field->items()) out.insert(QString::fromStdString(key), shown(value));
    return out;
}

} // namespace strata::model::fields
