#include "engine/ops/Registry.h"
#include "engine/support/Error.h"

#include <catch2/catch.hpp>

using namespace strata;
using namespace strata::ops;

TEST_CASE("a schema gives names, types, defaults and keywords") {
    const Schema s = parseSchema("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
    REQUIRE(s.name == "add");
    REQUIRE(s.overload == "Tensor");
    REQUIRE(s.params.size() == 3);
    REQUIRE(s.params[1].type == TypeName::Tensor);
    REQUIRE_FALSE(s.params[1].keywordOnly);
    REQUIRE(s.params[2].keywordOnly);
    REQUIRE(s.params[2].hasDefault);
    REQUIRE(s.params[2].defaultValue.toInt().sameAs(1));
    REQUIRE(s.returns == std::vector<TypeName>{TypeName::Tensor});
}

TEST_CASE("a schema's less common forms") {
    const Schema s =
        parseSchema("f(Tensor(a!) self, int[2]? dim=None, float p=0.5, str mode='none', bool b=False, SymInt[1] n=0, "
                    "*, ScalarType? dtype=None, MemoryFormat m=contiguous_format) -> (Tensor(a!), Tensor[] parts)");
    REQUIRE(s.params[0].written);
    REQUIRE(s.params[1].type == TypeName::Ints);
    REQUIRE(s.params[1].optional);
    REQUIRE(s.params[1].fixedLength == 2);
    REQUIRE(s.params[1].defaultValue.isNone());
    REQUIRE(s.params[2].defaultValue.toDouble() == 0.5);
    REQUIRE(s.params[3].defaultValue.string() == "none");
    REQUIRE_FALSE(s.params[4].defaultValue.toBool());
    REQUIRE(s.params[5].defaultValue.ints().size() == 1);
    REQUIRE(s.params[6].type == TypeName::DType);
    REQUIRE(s.params[7].defaultValue.string() == "contiguous_format");
    REQUIRE(s.returns == std::vector<TypeName>{TypeName::Tensor, TypeName::Tensors});
    REQUIRE(parseSchema("g() -> ()").returns.empty());
}

TEST_CASE("a mistake in a schema is refused with its column") {
    const auto column = [](const char* text) -> std::string {
        try {
            parseSchema(text);
        } catch (const support::Error& error) {
            const std::string message = error.what();
            return message.substr(message.find("column"));
        }
        return "accepted";
    };
    REQUIRE(column("f(Tensr self) -> Tensor") == "column 3: unknown type Tensr");
    REQUIRE(column("f(Tensor self -> Tensor") == "column 15: expected ,");
    REQUIRE(column("f(Tensor self) Tensor") == "column 16: expected ->");
    REQUIRE(column("f(int n=) -> Tensor") == "column 9: expected a default value");
    REQUIRE(column("f() -> Tensor x") == "column 15: text after the schema");
}
