#pragma once
// Which scalar functions loops may call in vector form. The names are those of the vector function ABI, which glibc's
// libmvec exports: _ZGV<isa>N<lanes>v_<name>, at most 4 ulp off. LLVM's own table for libmvec lacks many of them
// (tanh, erf, expm1, ..), so that the code generator is given this one.

#include <string>
#include <vector>

namespace strata::runtime {

struct VectorFunction {
    std::string scalar; // tanhf, or the intrinsic that Clang makes of it: llvm.tanh.f32
    std::string vector; // _ZGVeN16v_tanhf
    int lanes = 0;
    std::string prefix; // _ZGVeN16v
};

/// The functions that this machine's libmvec exports, for vectors of at most `vectorBits`. The list and its texts live
/// for the whole process. Empty where there is no libmvec.
const std::vector<VectorFunction>& vectorFunctions(int vectorBits);

/// dlopen's handle of libmvec, null where there is none.
void* vectorLibrary();

} // namespace strata::runtime
