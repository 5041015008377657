#pragma once
// Reads the functions out of an ELF object file.

#include <cstdint>
#include <string>
#include <vector>

namespace strata::runtime {

struct ObjectFunction {
    std::string name;
    bool exported = false;     // found by name from outside
    std::uint64_t section = 0; // number of the section it lies in
    std::uint64_t offset = 0;  // in that section
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> relocated; // one a byte: 1 where a linker may write
};

/// In order of section and offset. Throws support::Error for bytes that are no object file of this machine.
std::vector<ObjectFunction> functionsOf(const std::vector<char>& object);

} // namespace strata::runtime
