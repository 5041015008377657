#pragma once
// ORC: places object files in this process's memory and binds what they call.

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace strata::runtime {

/// An object in memory; taken out again when this is destroyed.
class LinkedObject {
public:
    struct Impl;
    explicit LinkedObject(std::unique_ptr<Impl> impl);
    LinkedObject(const LinkedObject&) = delete;
    LinkedObject& operator=(const LinkedObject&) = delete;
    ~LinkedObject();

    /// The address of each symbol asked for.
    const std::map<std::string, void*>& symbols() const;
    Impl& impl() { return *m_impl; }

private:
    std::unique_ptr<Impl> m_impl;
};

/// Links `object` against libomp, libmvec, libm and this process, searched in that order, and looks `names` up.
/// Throws support::Error when something that the object calls, or a name, is nowhere. Thread safe.
std::unique_ptr<LinkedObject> link(const std::vector<char>& object, const std::vector<std::string>& names);

} // namespace strata::runtime
