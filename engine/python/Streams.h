#pragma once
// sys.stdout and sys.stderr of a program: text files whose bytes become trace records.

#include "engine/trace/Record.h"

namespace strata::python {

/// From now on the streams write records to `sink`; null: what is written is dropped. Put in place at the first call.
/// Throws PythonError.
void connectStreams(trace::Sink* sink);
/// Sends what is buffered. Errors are swallowed: a program may have replaced or closed its streams.
void flushStreams() noexcept;
/// Sends text to the program's stderr, as the interpreter itself would.
void writeError(const std::string& text);

} // namespace strata::python
