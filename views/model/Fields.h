#pragma once
// Reads fields of a record. A field that is missing, or of another type than asked for, counts as not there: readers of
// a trace skip what they do not know.

#include "engine/trace/Record.h"
#include "views/model/Tables.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace strata::model::fields {

/// The field, or null.
const trace::Json* find(const trace::Json& object, const char* name);

QString text(const trace::Json& object, const char* name);
std::string string(const trace::Json& object, const char* name);
qint64 integer(const trace::Json& object, const char* name, qint64 otherwise = 0);
int small(const trace::Json& object, const char* name, int otherwise = 0);
double number(const trace::Json& object, const char* name, double otherwise = 0);
bool flag(const trace::Json& object, const char* name, bool otherwise = false);

/// A list of texts; numbers in it are written out; a single text is a list of one.
QStringList texts(const trace::Json& object, const char* name);
/// The same, undecoded: for ids.
std::vector<std::string> strings(const trace::Json& object, const char* name);
/// An object of texts, numbers and flags.
Values values(const trace::Json& object, const char* name);

/// A value as a person reads it: a text as it is, a list as "[4, s0]", an object as JSON.
QString shown(const trace::Json& value);
/// shown() of the field; empty when it is not there.
QString shown(const trace::Json& object, const char* name);

} // namespace strata::model::fields
