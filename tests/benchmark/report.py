#!/usr/bin/env python3
"""What `./dev bench` prints: ratios within one run, for the machine is noisy.

  report.py FOLDER [--check RATIOS.tsv | --update RATIOS.tsv]

FOLDER holds the JSON of Google Benchmark and of kiln-bench (service_*.json).
Writes FOLDER/report.json and FOLDER/methods.svg, prints tables. --check exits
with 1 when a ratio of the table is worse by more than its noise; --update
writes today's ratios and keeps the noise. A ratio is always "larger is better".
"""
import argparse
import json
import math
import pathlib
import sys

GRIDS = ("hills", "caves", "ball")
EDGES = (32, 64)
METHODS = (  # name, benchmark, colour
    ("tree", "BM_Boxes_Tree", "#b0b7c3"),
    ("grow", "BM_Boxes_Grow", "#7f8ba0"),
    ("naive bit rows", "BM_Boxes_NaiveBitRows", "#56b4e9"),
    ("partition", "BM_Boxes_Partition", "#d55e00"),
)
DEFAULT_NOISE = 0.35  # of two cores that are shared with strangers


class Runs:
    """The median of each benchmark by its name without repetition suffixes."""

    def __init__(self, folder):
        self.by_name = {}
        for path in sorted(folder.glob("core_*.json")):
            for run in json.loads(path.read_text())["benchmarks"]:
                if run.get("error_occurred"):
                    continue
                if run.get("aggregate_name", "median") != "median":
                    continue
                self.by_name[self.short(run["run_name"])] = run

    @staticmethod
    def short(name):
        parts = name.split("/")
        return "/".join(p for p in parts
                        if not p.startswith(("repeats:", "iterations:")))

    def get(self, name):
        return self.by_name.get(name)

    def on_grid(self, benchmark, grid, edge):
        index = GRIDS.index(grid)
        return (self.get(f"{benchmark}/grid:{index}/edge:{edge}") or
                self.get(f"{benchmark}/{index}/{edge}"))


def microseconds(run):
    scale = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}[run["time_unit"]]
    return run["cpu_time"] * scale


def table(title, header, rows):
    if not rows:
        return
    text = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in text) for i in range(len(header))]
    print(f"\n{title}\n")
    for row in text:
        first, *rest = (cell.ljust(w) if i == 0 else cell.rjust(w)
                        for i, (cell, w) in enumerate(zip(row, widths)))
        print("  " + "  ".join([first, *rest]))


def methods(runs, ratios):
    """Time and boxes of each method; returns microseconds for the picture."""
    rows, picture = [], []
    for edge in EDGES:
        for grid in GRIDS:
            found = [runs.on_grid(bench, grid, edge) for _, bench, _ in METHODS]
            if not all(found):
                continue
            times = [microseconds(run) for run in found]
            tree, grow, _, partition = times
            ratios[f"partition_vs_grow/{grid}/{edge}"] = grow / partition
            ratios[f"partition_vs_tree/{grid}/{edge}"] = tree / partition
            ratios[f"partition_boxes/{grid}/{edge}"] = (
                found[1]["boxes"] / found[3]["boxes"])
            rows.append([f"{grid} {edge}^3", *(f"{t:.1f}" for t in times),
                         f"{grow / partition:.1f}", f"{tree / partition:.0f}",
                         *(f"{run['boxes']:.0f}" for run in found)])
            picture.append((f"{grid} {edge}³", times))
    table("methods, one thread, bytes in, ordered boxes out (CPU us; boxes)",
          ["grid", *(m[0] for m in METHODS), "grow/p", "tree/p",
           *(f"#{m[0]}" for m in METHODS)], rows)
    return picture


def cover(runs, ratios):
    rows = []
    for edge in (16, *EDGES):
        for grid in GRIDS:
            found = [runs.on_grid(b, grid, edge)
                     for b in ("BM_Cover_Greedy", "BM_Cover_Grow")]
            if not all(found):
                continue
            ours, grow = found
            speed = microseconds(grow) / microseconds(ours)
            ratios[f"cover_vs_grow/{grid}/{edge}"] = speed
            ratios[f"cover_boxes/{grid}/{edge}"] = grow["boxes"] / ours["boxes"]
            rows.append([f"{grid} {edge}^3", f"{microseconds(ours):.0f}",
                         f"{microseconds(grow):.0f}", f"{speed:.2f}",
                         f"{ours['boxes']:.0f}", f"{grow['boxes']:.0f}",
                         f"{100 * (1 - ours['boxes'] / grow['boxes']):.0f} %"])
    table("cover against grow (CPU us; boxes)",
          ["grid", "cover", "grow", "grow/c", "#cover", "#grow", "fewer"], rows)


def search(runs, ratios):
    rows = []
    for cut, label in ((0, "whole models"), (1, "16^3 sections")):
        for effort in range(4):
            run = runs.get(f"BM_Search_Models/cut:{cut}/effort:{effort}")
            if run is None:
                continue
            ratios[f"search_boxes/{label.replace(' ', '_')}/{effort}"] = (
                1 / (1 - run["off_best6"]))
            rows.append([f"{label}, effort {effort}", f"{run['boxes']:.0f}",
                         f"{100 * run['off_best6']:.1f} %",
                         f"{100 * run['over_bound']:.0f} %",
                         f"{run['ms_a_section']:.3f}"])
    table("search over nine real models (geometric means)",
          ["", "boxes", "off best of 6", "over the bound", "ms a section"],
          rows)


def decode(runs):
    """Sections of 16^3: what any caller pays for its own encoding."""
    prefix, suffix = "DecodeAndPartition_", "/16"
    found = {name.removeprefix("BM_" + prefix).removesuffix(suffix): run
             for name, run in runs.by_name.items()
             if name.startswith("BM_" + prefix) and name.endswith(suffix)}
    if not found:
        return
    least = min(microseconds(run) for run in found.values())
    table("decode and partition of a 16^3 section (CPU us)",
          ["encoding", "us", "1000 sections/s", "x the fastest"],
          [[name, f"{microseconds(run):.2f}", f"{1e3 / microseconds(run):.0f}",
            f"{microseconds(run) / least:.1f}"]
           for name, run in found.items()])


def edits(runs):
    rows = []
    for edge in EDGES:
        for grid in GRIDS:
            run = runs.on_grid("BM_Boxes_EditOneVoxel", grid, edge)
            if run is not None:
                rows.append([f"{grid} {edge}^3", f"{microseconds(run):.1f}",
                             f"{run['boxes changed']:.1f}"])
    table("one voxel toggled: partition, exposure, difference (CPU us)",
          ["grid", "us", "boxes changed"], rows)


def scaling(runs):
    rows = [[name.removeprefix("BM_"), f"{microseconds(run):.1f}",
             f"{1e12 / run['voxels/s']:.1f}"]
            for name, run in runs.by_name.items()
            if "Scaling" in name and "voxels/s" in run]
    table("scaling (CPU us; ps a voxel)", ["", "us", "ps"], rows)


def service(folder, ratios):
    rows = []
    for path in sorted(folder.glob("service_*.json")):
        run = json.loads(path.read_text()).get("stream")
        if not run or "throughput_ratio" not in run:
            continue
        name = path.stem.removeprefix("service_")
        ratios[f"stream_vs_echo/{name}"] = run["throughput_ratio"]
        rows.append([name, *(f"{run[who]['requests_per_second']:.0f}"
                             for who in ("kiln", "echo")),
                     f"{run['throughput_ratio']:.2f}",
                     *(f"{run[who]['server_cpu_us_per_request']:.1f}"
                       for who in ("kiln", "echo")),
                     f"{run['cpu_factor']:.2f}"])
    table("BakeVoxelStream against a bare echo of the same bytes",
          ["blocks", "kiln/s", "echo/s", "ratio", "kiln us", "echo us",
           "x plain call"], rows)


def write_picture(path, picture):
    """Bars on a logarithmic axis, one group a grid."""
    if not picture:
        return
    width, bar, gap, left, top = 720, 11, 16, 92, 46
    low, high = 1.0, max(max(times) for _, times in picture)
    decades = math.ceil(math.log10(high / low))
    scale = (width - left - 60) / decades

    def x(us):
        return left + scale * math.log10(max(us, low) / low)

    height = top + len(picture) * (len(METHODS) * bar + gap) + 26
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
           f'height="{height}" font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for i, (name, _, colour) in enumerate(METHODS):
        out.append(f'<rect x="{left + 130 * i}" y="14" width="11" height="11" '
                   f'fill="{colour}"/><text x="{left + 130 * i + 16}" y="24">'
                   f'{name}</text>')
    for decade in range(decades + 1):
        us = low * 10**decade
        label = f"{us:g} µs" if us < 1000 else f"{us / 1000:g} ms"
        out.append(f'<line x1="{x(us):.1f}" y1="{top - 8}" x2="{x(us):.1f}" '
                   f'y2="{height - 22}" stroke="#ddd"/><text x="{x(us):.1f}" '
                   f'y="{height - 8}" text-anchor="middle">{label}</text>')
    y = top
    for label, times in picture:
        middle = y + len(METHODS) * bar / 2 + 4
        out.append(f'<text x="{left - 8}" y="{middle}" text-anchor="end">'
                   f'{label}</text>')
        for us, (_, _, colour) in zip(times, METHODS):
            out.append(f'<rect x="{left}" y="{y}" width="{x(us) - left:.1f}" '
                       f'height="{bar - 1}" fill="{colour}"/>'
                       f'<text x="{x(us) + 4:.1f}" y="{y + bar - 2}" '
                       f'font-size="9" fill="#555">{us:.0f}</text>')
            y += bar
        y += gap
    path.write_text("\n".join([*out, "</svg>\n"]))


def read_ratios(path):
    """name -> (ratio, noise)."""
    rows = [line.split("\t") for line in path.read_text().splitlines()
            if line and not line.startswith("#")]
    return {name: (float(ratio), float(noise)) for name, ratio, noise in rows}


def check(path, ratios):
    worse = []
    for name, (ratio, noise) in read_ratios(path).items():
        if name in ratios and ratios[name] < ratio * (1 - noise):
            worse.append(f"{name}: {ratios[name]:.2f}, was {ratio:.2f}, "
                         f"noise {100 * noise:.0f} %")
    missing = [name for name in read_ratios(path) if name not in ratios]
    if missing:
        print(f"\nnot measured in this run: {', '.join(missing)}")
    print("\n" + ("\n".join(["WORSE than the table:", *worse]) if worse else
                  f"no ratio is worse than {path} by more than its noise"))
    return not worse


def update(path, ratios):
    known = read_ratios(path) if path.exists() else {}
    with path.open("w") as file:
        file.write("# Ratios of `./dev bench`; larger is better. Checked by "
                   "`./dev bench --check`.\n# name\tratio\tnoise\n")
        for name, ratio in sorted(ratios.items()):
            # Counts of boxes do not depend on the machine.
            noise = 0.001 if "_boxes/" in name else DEFAULT_NOISE
            file.write(f"{name}\t{ratio:.4g}\t"
                       f"{known.get(name, (0, noise))[1]:g}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path, metavar="RATIOS.tsv")
    parser.add_argument("--update", type=pathlib.Path, metavar="RATIOS.tsv")
    arguments = parser.parse_args()
    runs, ratios = Runs(arguments.folder), {}
    picture = methods(runs, ratios)
    cover(runs, ratios)
    search(runs, ratios)
    decode(runs)
    edits(runs)
    scaling(runs)
    service(arguments.folder, ratios)
    if not ratios:
        sys.exit(f"report.py: no benchmarks in {arguments.folder}")
    write_picture(arguments.folder / "methods.svg", picture)
    report = arguments.folder / "report.json"
    report.write_text(json.dumps(ratios, indent=2) + "\n")
    print(f"\nwrote {report} and {arguments.folder / 'methods.svg'}")
    if arguments.update:
        update(arguments.update, ratios)
    if arguments.check and not check(arguments.check, ratios):
        sys.exit(1)


if __name__ == "__main__":
    main()
