#pragma once
// The engine's own Python files, inside the executable. embed.py writes the table at build time.

#include <span>
#include <string_view>

namespace strata::python {

struct PackageFile {
    const char* name; // "torch.nn.functional"
    bool package;
    const char* path; // "<strata>/torch/nn/functional.py": co_filename
    std::string_view source;
    std::string_view code; // marshalled, for packageMagic()
};

/// Sorted by path.
std::span<const PackageFile> packageFiles();
/// The bytecode version that `code` was compiled for.
std::string_view packageMagic();

/// Puts a finder for packageFiles() at the head of sys.meta_path, whose modules have their source in linecache and
/// inspect. Throws PythonError.
void installImporter();

} // namespace strata::python
