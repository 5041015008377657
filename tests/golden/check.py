#!/usr/bin/env python3
"""Holds the engine against PyTorch's records: every program and column that agreed.json lists must agree.

Usage: check.py ENGINE [--set programs|reports] [--update] [--out FILE]
Records the programs with `ENGINE record`, compares as compare.py does, and prints its table. Exit status 1 when a listed
pair no longer agrees. --update adds what agrees and is not listed yet; nothing is ever taken off.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import compare

HERE = pathlib.Path(__file__).resolve().parent
LIST = HERE / "agreed.json"


def record(engine, programs, out):
    command = [engine, "record", "--timeout", "100", "-o", str(out)] + [str(p) for p in programs]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{engine} record failed with status {done.returncode}:\n{done.stderr[-2000:]}")
    return {r["program"]: r for r in json.loads(out.read_text())}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("engine")
    ap.add_argument("--set", default="programs", choices=["programs", "reports"])
    ap.add_argument("--update", action="store_true")
    ap.add_argument("--only", default="", help="comma separated beginnings of program names")
    ap.add_argument("--out", type=pathlib.Path)
    args = ap.parse_args()
    torch = {r["program"]: r for r in json.loads((HERE / f"{args.set}.json").read_text())}
    wanted = tuple(args.only.split(",")) if args.only else ("",)
    programs = [p for p in sorted((HERE / args.set).glob("*.py")) if p.stem.startswith(wanted) and p.stem in torch]
    with tempfile.TemporaryDirectory() as tmp:
        ours = record(args.engine, programs, args.out or pathlib.Path(tmp, "ours.json"))
    listed = json.loads(LIST.read_text()) if LIST.exists() else {}
    lost, agreeing = [], {}
    for path in programs:
        verdicts = compare.verdicts(torch[path.stem], ours.get(path.stem, {}))
        agreeing[path.stem] = [c for c in compare.COLUMNS if verdicts[c]]
        wrong = [c for c in compare.COLUMNS if verdicts[c] is False]
        gone = [c for c in listed.get(path.stem, []) if not verdicts[c]]
        lost += [f"{path.stem}: {c}" for c in gone]
        print(f"{path.stem:44} {'all agree' if not wrong else 'differs: ' + ' '.join(wrong)}")
        for stage, message in ours.get(path.stem, {}).get("errors", {}).items():
            print(f"    {stage}: {message.strip().splitlines()[-1][:160]}")
    if args.update:
        for name, columns in agreeing.items():
            known = listed.get(name, [])
            listed[name] = [c for c in compare.COLUMNS if c in known or c in columns]
        LIST.write_text("{\n" + ",\n".join(f'    "{n}": {json.dumps(listed[n])}' for n in sorted(listed) if listed[n]) + "\n}\n")
    print(f"\n{sum(map(len, agreeing.values()))} program columns agree, {len(lost)} listed ones no longer do")
    print("\n".join(lost))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
