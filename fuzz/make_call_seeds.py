#!/usr/bin/env python3
"""Writes the seeds of the targets `operations` and `matmul`: make_call_seeds.py FOLDER makes FOLDER/{operations,matmul}.

A seed is a string of random bytes; what it means is fuzz/*_calls.cc. The same files on every machine. The committed corpora
are these and what libFuzzer found from them, minimised; the test fuzz_calls_test says whether they still reach every
operation, strategy and policy value.
"""
import hashlib
import pathlib
import sys

COUNTS = {"operations": 280, "matmul": 110}
# In the order of the C ABI, and again those with most to choose: the MX product has 16 accumulation models.
OPERATIONS = (*range(10), 7, 7, 7, 8)
LENGTHS = (60, 100, 160)
# Bytes of the options of all backends: every third seed leaves them at their defaults, every fourth is half zeros.
OPTION_BYTES = 24


def words(name):
    """Bytes of SHA-256 over name and a counter."""
    counter = 0
    while True:
        yield from hashlib.sha256(f"{name} {counter}".encode()).digest()
        counter += 1


def seed(target, index):
    stream = words(f"{target} {index}")
    length = LENGTHS[index % len(LENGTHS)]
    data = bytearray(next(stream) for _ in range(length))
    if index % 3 == 2:
        data[1 : 1 + OPTION_BYTES] = bytes(OPTION_BYTES)
    if index % 4 == 3:
        data = bytearray(b if next(stream) % 2 else 0 for b in data)
    if target == "operations":
        data[0] = OPERATIONS[index % len(OPERATIONS)]
    return bytes(data)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_call_seeds.py FOLDER")
    for target, count in COUNTS.items():
        folder = pathlib.Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for index in range(count):
            (folder / f"seed_{index:03}").write_bytes(seed(target, index))


main()
