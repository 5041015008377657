"""Records what each stage does with one program: argv is the program's path. Runs inside the engine, as __main__.

The program defines main(), which returns a list of tensors and plain values and calls torch.compile itself. It is loaded
afresh for every stage, and runs in eager, then captured with its graphs taken through AOTAutograd, then with the
backends that it names, where launches are taken from a second call of main(), when everything is compiled.
"""
import contextlib
import io
import json
import math
import runpy
import sys
import traceback

import torch

import _strata

SAMPLE = 256


def command(name, **arguments):
    return json.loads(_strata.command(name, json.dumps(arguments)))


def encode(value):
    """A tensor as every step-th of its elements; lists and tuples as lists; the rest as it is."""
    if isinstance(value, torch.Tensor):
        flat = value.detach().reshape(-1)
        step = max(1, math.ceil(flat.numel() / SAMPLE))
        data = flat[::step].tolist()
        data = [x if not isinstance(x, float) or math.isfinite(x) else str(x) for x in data]
        return {"dtype": str(value.dtype).replace("torch.", ""), "shape": list(value.shape), "requires_grad": value.requires_grad,
                "step": step, "data": data}
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def load(path):
    torch.manual_seed(0)
    return runpy.run_path(path, run_name="program")["main"]


def captured(call):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = call()
    return result, out.getvalue()


def eager(path, record):
    command("stage", enabled=False)
    result, text = captured(lambda: load(path)())
    record["eager"] = {"outputs": encode(result), "stdout": text}
    command("watch_dispatch")
    captured(lambda: load(path)())
    record["eager"]["aten_ops_in_forward"] = command("dispatched")


def nodes(artifact):
    return [[i["op"], i["target"]] for i in artifact["items"] if i["op"] not in ("placeholder", "output")]


def shape_of(artifact):
    ops = [i["op"] for i in artifact["items"]]
    return {"inputs": ops.count("placeholder"), "outputs": artifact.get("outputs", 0), "nodes": nodes(artifact)}


def capture(path, record):
    # A program's own callable stays: it is no stage of this engine.
    command("stage", enabled=True, backend="aot_eager_decomp_partition", forced=1, trace=True)
    try:
        result, text = captured(lambda: load(path)())
    finally:
        records = command("records")
    broken = {r["compile"] for r in records if r["kind"] == "compile_finished" and r["status"] == "graph_break"}
    graphs = []
    for r in records:
        if r["kind"] == "fx":
            graphs.append({**shape_of(r), "ended_by": {"break": r["compile"] in broken}})
    guards = {(i["guard_kind"], i["source"]) for r in records if r["kind"] == "guards" for i in r["items"]}
    started = [r for r in records if r["kind"] == "compile_started"]
    finished = {r["compile"]: r for r in records if r["kind"] == "compile_finished"}
    compiles = [{"co_name": r["function"], "compile_id": r["compile"], "cache_size": int(r["compile"].split("/")[1]),
                 "guard_count": finished.get(r["compile"], {}).get("guards"), "graph_op_count": finished.get(r["compile"], {}).get("ops")}
                for r in started]
    record["dynamo"] = {"outputs": encode(result), "stdout": text, "graphs": graphs, "guards": sorted(guards), "compiles": compiles}
    kinds = {"joint": "joint", "forward": "forward", "backward": "backward"}
    record["aot"] = {"graphs": [{"kind": "inference" if r["region"] == "inference" else kinds[r["kind"]], **shape_of(r)}
                                for r in records if r["kind"] in kinds]}


def compiled(path, record):
    """The program with the default backend, whatever it names."""
    command("stage", enabled=True, backend="inductor", forced=2)
    result, text = captured(lambda: load(path)())
    record["compiled"] = {"outputs": encode(result), "stdout": text}


def launches(path, record, stage, enabled):
    command("stage", enabled=enabled)
    main = load(path)
    captured(main)
    torch.manual_seed(0)
    command("watch_launches")
    captured(main)
    record.setdefault("launches", {})[stage] = command("launches")


def main():
    path = sys.argv[1]
    record = {"torch": torch.__version__, "python": sys.version.split()[0]}
    stages = {
        "eager": lambda: eager(path, record),
        "dynamo": lambda: capture(path, record),
        "compiled": lambda: compiled(path, record),
        "launches_compiled": lambda: launches(path, record, "compiled", True),
        "launches_eager": lambda: launches(path, record, "eager", False),
    }
    for name, stage in stages.items():
        try:
            stage()
        except Exception as e:
            record.setdefault("errors", {})[name] = f"{type(e).__name__}: {e}"[:600] + " @ " + traceback.format_exc()[-600:]
    command("result", record=record)


main()
