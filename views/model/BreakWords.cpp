// The catalogue of graph breaks, skipped frames and refusals: what happened, and what the user can do about it.

#include "views/model/Words.h"

#include <QCoreApplication>

namespace strata::model {

namespace {

struct Entry {
    const char* code;
    const char* what;
    const char* hint;
};

constexpr Entry catalogue[] = {
    {"print", QT_TRANSLATE_NOOP("Words", "print writes to the outside world, which a graph cannot."),
     QT_TRANSLATE_NOOP("Words", "Print outside the compiled function, or after it has run.")},
    {"graph_break", QT_TRANSLATE_NOOP("Words", "torch._dynamo.graph_break() asks for a break here."), ""},
    {"disabled_function", QT_TRANSLATE_NOOP("Words", "%function is kept out of compilation (torch.compiler.disable)."),
     ""},
    {"call_unknown", QT_TRANSLATE_NOOP("Words", "Dynamo does not know how to trace a call of %function."),
     QT_TRANSLATE_NOOP("Words", "Call it outside the compiled function, or write it with tensor operations.")},
    {"data_dependent_jump",
     QT_TRANSLATE_NOOP("Words", "A branch depends on the value of a tensor, which is not known while tracing."),
     QT_TRANSLATE_NOOP("Words",
                       "Use torch.where to compute both sides, or take the branch out of the compiled function.")},
    {"data_dependent_conversion",
     QT_TRANSLATE_NOOP("Words",
                       "%function turns the value of a tensor into a Python number, which is not known while tracing."),
     QT_TRANSLATE_NOOP("Words", "Keep the value in a tensor, or read it outside the compiled function.")},
    {"data_dependent_value",
     QT_TRANSLATE_NOOP("Words", "%op needs the value of a tensor, which is not known while tracing."),
     QT_TRANSLATE_NOOP("Words", "Keep the value in a tensor, or read it outside the compiled function.")},
    {"truth_of_unknown",
     QT_TRANSLATE_NOOP("Words", "Whether a value of type %type is true is not known while tracing."), ""},
    {"int_of_unknown", QT_TRANSLATE_NOOP("Words", "The integer in a value of type %type is not known while tracing."),
     ""},
    {"type_of_unknown", QT_TRANSLATE_NOOP("Words", "The type of a value is not known while tracing."), ""},
    {"isinstance_of_unknown",
     QT_TRANSLATE_NOOP("Words", "isinstance is asked of a value that is not known while tracing."), ""},
    {"contains_of_unknown", QT_TRANSLATE_NOOP("Words", "“in” is asked of a value that is not known while tracing."),
     ""},
    {"format_of_unknown", QT_TRANSLATE_NOOP("Words", "A value that is not known while tracing is put into a text."),
     QT_TRANSLATE_NOOP("Words", "Build the text outside the compiled function.")},
    {"sort_by_unknown",
     QT_TRANSLATE_NOOP("Words", "The order of values that are not known while tracing is asked for."), ""},
    {"unknown_key", QT_TRANSLATE_NOOP("Words", "A value of type %type cannot be a key while tracing."), ""},
    {"dict_with_unknown_keys", QT_TRANSLATE_NOOP("Words", "A dict has keys that are not known while tracing."), ""},
    {"key_error", QT_TRANSLATE_NOOP("Words", "A key is missing: the program raises here."), ""},
    {"stop_iteration", QT_TRANSLATE_NOOP("Words", "An iterator is exhausted: the program raises here."), ""},
    {"zip_strict_mismatch",
     QT_TRANSLATE_NOOP("Words", "zip(strict=True) is given iterables of different lengths: the program raises here."),
     ""},
    {"unpack_mismatch",
     QT_TRANSLATE_NOOP("Words", "The number of values to unpack does not match: the program raises here."), ""},
    {"raises", QT_TRANSLATE_NOOP("Words", "The program raises an exception here."), ""},
    {"bad_call", QT_TRANSLATE_NOOP("Words", "The arguments do not fit %function: the program raises here."), ""},
    {"unbound_local", QT_TRANSLATE_NOOP("Words", "The local variable %name has no value here."), ""},
    {"unbound_global", QT_TRANSLATE_NOOP("Words", "The global name %name is not defined."), ""},
    {"attribute_missing", QT_TRANSLATE_NOOP("Words", "%type has no attribute %name: the program raises here."), ""},
    {"attribute_of_unknown",
     QT_TRANSLATE_NOOP("Words", "The attribute %name of a value of type %type is not known while tracing."), ""},
    {"item_of_unknown", QT_TRANSLATE_NOOP("Words", "An element of a value of type %type is not known while tracing."),
     ""},
    {"operator_on_unknown", QT_TRANSLATE_NOOP("Words", "Operator %operator on a value of type %left cannot be traced."),
     ""},
    {"iterate_over_unknown",
     QT_TRANSLATE_NOOP("Words", "A loop runs over a value of type %type, which Dynamo cannot iterate while tracing."),
     ""},
    {"iterate_over_dynamic_size", QT_TRANSLATE_NOOP("Words", "A loop runs over a dimension whose size is dynamic."),
     QT_TRANSLATE_NOOP("Words", "Loop over a fixed size, or use tensor operations in place of the loop.")},
    {"slice_argument", QT_TRANSLATE_NOOP("Words", "A slice has bounds that cannot be traced."), ""},
    {"argument_not_for_graph",
     QT_TRANSLATE_NOOP("Words", "A value of type %type cannot be an argument of a node of the graph."), ""},
    {"unknown_result",
     QT_TRANSLATE_NOOP("Words", "An operation gave a value of type %type, which the graph cannot hold."), ""},
    {"fake_evaluation_failed", QT_TRANSLATE_NOOP("Words", "%function fails on these shapes and dtypes: %error."), ""},
    {"error_while_tracing", QT_TRANSLATE_NOOP("Words", "The program fails here while it is traced: %error."), ""},
    {"tensor_method", QT_TRANSLATE_NOOP("Words", "Dynamo does not trace the tensor method %name."),
     QT_TRANSLATE_NOOP("Words", "Use the function of the same name in torch, if there is one.")},
    {"tensor_attribute", QT_TRANSLATE_NOOP("Words", "Dynamo does not trace the tensor attribute %name."), ""},
    {"super_attribute", QT_TRANSLATE_NOOP("Words", "super().%name cannot be traced."), ""},
    {"descriptor", QT_TRANSLATE_NOOP("Words", "The attribute %name is computed by a descriptor, which is not traced."),
     ""},
    {"constructs_object", QT_TRANSLATE_NOOP("Words", "An object of class %type is made, which is not traced."),
     QT_TRANSLATE_NOOP("Words", "Make the object outside the compiled function.")},
    {"generator", QT_TRANSLATE_NOOP("Words", "%function is a generator, which is not traced."),
     QT_TRANSLATE_NOOP("Words", "Return a list, or loop outside the compiled function.")},
    {"context_manager", QT_TRANSLATE_NOOP("Words", "“with” on an object of type %type is not traced."),
     QT_TRANSLATE_NOOP("Words", "Enter the context outside the compiled function.")},
    {"import_in_function", QT_TRANSLATE_NOOP("Words", "%name is imported inside the function."),
     QT_TRANSLATE_NOOP("Words", "Import at the top of the file.")},
    {"closure_of_inlined_function",
     QT_TRANSLATE_NOOP("Words", "An inlined function shares the variable %name with its surroundings."), ""},
    {"writes_closure_variable",
     QT_TRANSLATE_NOOP("Words", "The function writes the variable %name of the function around it."), ""},
    {"writes_global_of_inlined_function",
     QT_TRANSLATE_NOOP("Words", "An inlined function writes the global %name of another module."), ""},
    {"global_of_unknown_module", QT_TRANSLATE_NOOP("Words", "The global %name belongs to a module that is not known."),
     ""},
    {"writes_attribute",
     QT_TRANSLATE_NOOP("Words", "The attribute %name of an object of type %type is written, which is not traced."), ""},
    {"writes_module_attribute",
     QT_TRANSLATE_NOOP("Words", "The attribute %name of an nn.Module is written, which is not traced."),
     QT_TRANSLATE_NOOP("Words", "Keep such state in a buffer, or change it outside the compiled function.")},
    {"module_hooks", QT_TRANSLATE_NOOP("Words", "%type has hooks, which are not traced."), ""},
    {"forward_on_instance", QT_TRANSLATE_NOOP("Words", "forward was replaced on one instance of %type."), ""},
    {"default_argument", QT_TRANSLATE_NOOP("Words", "A default argument of type %type cannot be traced."), ""},
    {"inlined_too_deep", QT_TRANSLATE_NOOP("Words", "Calls are nested too deeply to inline %function."), ""},
    {"unsupported_opcode", QT_TRANSLATE_NOOP("Words", "Dynamo does not trace the bytecode instruction %opcode."), ""},
    {"nothing_captured",
     QT_TRANSLATE_NOOP("Words", "The frame holds no tensor operation: there is nothing to compile."), ""},
    {"too_many_restarts", QT_TRANSLATE_NOOP("Words", "Tracing had to start again too often."), ""},
    {"too_many_steps", QT_TRANSLATE_NOOP("Words", "Tracing took too many steps: a loop in it is too long."),
     QT_TRANSLATE_NOOP("Words", "Loop outside the compiled function, or over fewer elements.")},
    {"break_in_protected_block",
     QT_TRANSLATE_NOOP("Words", "A graph break inside a try or with block cannot be resumed, so the whole frame runs "
                                "in the interpreter: %reason"),
     QT_TRANSLATE_NOOP("Words", "Take what breaks the graph out of the block.")},
    {"break_at_instruction",
     QT_TRANSLATE_NOOP(
         "Words", "After a graph break at %opcode the frame cannot be resumed, so it runs in the interpreter: %reason"),
     ""},
    {"symbolic_output", QT_TRANSLATE_NOOP("Words", "A size that the frame computes cannot be handed back to it."), ""},
    {"value_not_rebuildable",
     QT_TRANSLATE_NOOP("Words", "A value of type %type that lives across the break cannot be rebuilt."), ""},
    {"break_with_closure",
     QT_TRANSLATE_NOOP(
         "Words",
         "A graph break in a function with closure variables cannot be resumed, so the frame runs in the interpreter."),
     ""},
    {"break_in_loop",
     QT_TRANSLATE_NOOP("Words", "A graph break inside a loop cannot be resumed, so the frame runs in the interpreter."),
     ""},
    {"cannot_resume", QT_TRANSLATE_NOOP("Words", "The rest of the frame cannot be resumed: %reason"), ""},
    {"argument_names", QT_TRANSLATE_NOOP("Words", "The names of the arguments cannot be kept."), ""},
    {"closure_order", QT_TRANSLATE_NOOP("Words", "The order of the closure variables cannot be kept."), ""},
    {"backend_refused",
     QT_TRANSLATE_NOOP("Words",
                       "The graph was captured, but its backend cannot compile it, so it runs in eager: %reason"),
     ""},
    {"aot_not_an_aten_op", QT_TRANSLATE_NOOP("Words", "AOTAutograd does not know %target."), ""},
    {"prims_not_an_aten_op", QT_TRANSLATE_NOOP("Words", "%target has no form in primitive operations."), ""},
    {"inductor_not_an_aten_op", QT_TRANSLATE_NOOP("Words", "Inductor has no lowering for %target."), ""},
    {"aot_input_kind", QT_TRANSLATE_NOOP("Words", "The input %input is neither a tensor nor a number."), ""},
    {"aot_output_kind", QT_TRANSLATE_NOOP("Words", "An output is a list of tensors that the graph cannot return."), ""},
    {"aot_unknown_tensor", QT_TRANSLATE_NOOP("Words", "A tensor that tracing has not seen is used: %tensor."), ""},
    {"aot_unknown_view", QT_TRANSLATE_NOOP("Words", "A view of shape %shape has no known base."), ""},
    {"aot_overlapping_operands",
     QT_TRANSLATE_NOOP("Words", "An operation reads memory that it overwrites at other places."), ""},
    {"aot_changed_layout",
     QT_TRANSLATE_NOOP("Words", "The strides of a tensor that is written in place changed while tracing."), ""},
    {"aot_write_through_view",
     QT_TRANSLATE_NOOP("Words", "Writing through a view made by %view has no functional form."), ""},
    {"aot_no_functional_form", QT_TRANSLATE_NOOP("Words", "%op has no form that leaves its input alone."), ""},
    {"aot_metadata_mutated", QT_TRANSLATE_NOOP("Words", "%op changes the shape or the strides of a tensor in place."),
     ""},
    {"aot_constant_mutated",
     QT_TRANSLATE_NOOP("Words", "%op writes to a tensor that the function holds as a constant."), ""},
    {"aot_constant_requires_grad",
     QT_TRANSLATE_NOOP("Words", "A tensor that the function holds as a constant requires a gradient: %tensor."), ""},
    {"aot_written_input_is_aliased",
     QT_TRANSLATE_NOOP("Words", "The input %input is written, and the input %other shares its memory."), ""},
    {"aot_view_of_later_argument", QT_TRANSLATE_NOOP("Words", "%op gives a view of an argument other than its first."),
     ""},
    {"aot_history_of_alias", QT_TRANSLATE_NOOP("Words", "An output needs a gradient that its base does not have."), ""},
    {"aot_late_history", QT_TRANSLATE_NOOP("Words", "The autograd history changed while tracing, at %node."), ""},
    {"aot_partition_unbounded", QT_TRANSLATE_NOOP("Words", "No cut between forward and backward exists."), ""},
    {"aot_partition_incomplete", QT_TRANSLATE_NOOP("Words", "The cut between forward and backward leaves out %node."),
     ""},
    {"aot_trace_failed", QT_TRANSLATE_NOOP("Words", "The captured function fails on these inputs: %message."), ""},
};

const Entry* entryOf(const QString& code) {
    for (const Entry& entry : catalogue)
        if (code == QLatin1String(entry.code)) return &entry;
    return nullptr;
}

// A reason inside another one is a code too, with its values behind it when the backend gave it ("code a=1 b=2").
QString reasonText(const QString& reason, Values values) {
    const qsizetype end = reason.indexOf(QLatin1Char(' '));
    const QString code = reason.left(end);
    if (!entryOf(code)) return reason;
    QString name;
    const QStringList words = end < 0 ? QStringList() : reason.mid(end + 1).split(QLatin1Char(' '));
    for (const QString& word : words) { // a value may hold spaces: it goes on until the next name
        const qsizetype equals = word.indexOf(QLatin1Char('='));
        if (equals > 0) {
            name = word.left(equals);
            values.insert(name, word.mid(equals + 1));
        } else if (!name.isEmpty()) {
            values[name] += QLatin1Char(' ') + word;
        }
    }
    return Words::graphBreak(code, values);
}

} // namespace

QString Words::graphBreak(const QString& code, const Values& values) {
    const Entry* entry = entryOf(code);
    if (!entry) return code;
    Values filled = values;
    const auto reason = filled.constFind(QStringLiteral("reason"));
    if (reason != filled.constEnd()) {
        Values inner = values;
        inner.remove(QStringLiteral("reason"));
        filled.insert(QStringLiteral("reason"), reasonText(*reason, inner));
    }
    return fill(QCoreApplication::translate("Words", entry->what), filled);
}

QString Words::graphBreakHint(const QString& code) {
    const Entry* entry = entryOf(code);
    return entry && *entry->hint ? QCoreApplication::translate("Words", entry->hint) : QString();
}

} // namespace strata::model
