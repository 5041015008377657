#include "engine/runtime/Linker.h"

#include "engine/runtime/Host.h"
#include "engine/support/Error.h"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

#include <atomic>

namespace strata::runtime {
namespace {

using llvm::orc::JITDylib;
using llvm::orc::LLJIT;

// ORC hands the reasons of a failed link to a reporter, not to the caller; both run on the thread that links.
thread_local std::string reported;

struct Session {
    std::unique_ptr<LLJIT> jit;
    JITDylib* libraries = nullptr;
    std::atomic<unsigned> count{0};
};

bool search(JITDylib& dylib, const char* library, char prefix) {
    auto generator = llvm::orc::DynamicLibrarySearchGenerator::Load(library, prefix);
    if (!generator) {
        llvm::consumeError(generator.takeError());
        return false;
    }
    dylib.addGenerator(std::move(*generator));
    return true;
}

Session* open() {
    auto session = std::make_unique<Session>();
    auto jit = llvm::orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(machineBuilder(3))
                   .setLinkProcessSymbolsByDefault(false)
                   .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                   .create();
    if (!jit) throw support::Error("ORC does not start: " + llvm::toString(jit.takeError()));
    session->jit = std::move(*jit);
    llvm::orc::ExecutionSession& es = session->jit->getExecutionSession();
    es.setErrorReporter([](llvm::Error error) { reported += llvm::toString(std::move(error)) + "\n"; });
    session->libraries = &es.createBareJITDylib("libraries");
    const char prefix = session->jit->getDataLayout().getGlobalPrefix();
    // libomp first: another OpenMP runtime in the process must not answer for it. A library that is not there only
    // matters to kernels that call it, and the link then says what is missing.
    if (!search(*session->libraries, "libomp.so.5", prefix)) search(*session->libraries, STRATA_LIBOMP, prefix);
    for (const char* library : {"libmvec.so.1", "libm.so.6"}) search(*session->libraries, library, prefix);
    search(*session->libraries, nullptr, prefix);
    return session.release();
}

Session& session() {
    static Session* opened = open(); // never closed: modules in statics may outlive any order of destruction
    return *opened;
}

void check(llvm::Error error) {
    if (!error) return;
    std::string text = llvm::toString(std::move(error));
    if (!reported.empty()) text += "\n" + reported;
    throw support::Error("a kernel does not link: " + text);
}

} // namespace

struct LinkedObject::Impl {
    JITDylib* dylib = nullptr;
    std::map<std::string, void*> symbols;
};

LinkedObject::LinkedObject(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

LinkedObject::~LinkedObject() {
    llvm::consumeError(session().jit->getExecutionSession().removeJITDylib(*m_impl->dylib));
}

const std::map<std::string, void*>& LinkedObject::symbols() const {
    return m_impl->symbols;
}

std::unique_ptr<LinkedObject> link(const std::vector<char>& object, const std::vector<std::string>& names) {
    Session& s = session();
    llvm::orc::ExecutionSession& es = s.jit->getExecutionSession();
    reported.clear();
    auto impl = std::make_unique<LinkedObject::Impl>();
    impl->dylib = &es.createBareJITDylib("kernel" + std::to_string(s.count.fetch_add(1)));
    impl->dylib->addToLinkOrder(*s.libraries);
    auto linked = std::make_unique<LinkedObject>(std::move(impl)); // from here on the dylib is removed on any error
    LinkedObject::Impl& target = linked->impl();
    check(s.jit->addObjectFile(*target.dylib, llvm::MemoryBuffer::getMemBufferCopy(
                                                  llvm::StringRef(object.data(), object.size()), "kernel.o")));
    llvm::orc::SymbolLookupSet wanted;
    for (const std::string& name : names) wanted.add(s.jit->mangleAndIntern(name));
    auto found = es.lookup(llvm::orc::makeJITDylibSearchOrder({target.dylib}), std::move(wanted));
    if (!found) check(found.takeError());
    for (const std::string& name : names)
        target.symbols[name] = (*found)[s.jit->mangleAndIntern(name)].getAddress().toPtr<void*>();
    return linked;
}

} // namespace strata::runtime
