"""all-MiniLM-L6-v2 in plain numpy: tokenizer, forward pass, contrastive loss and its gradient, in FP64.

Hidden 384, feed-forward 1536, 6 layers, 12 heads of 32.  The tokens of all sentences are
packed into one [tokens, 384] matrix; there is no padding, and attention stays inside a sentence.
"""

import json
import math
import struct
import unicodedata

import numpy as np

LAYERS = 6
HEADS = 12
HEAD_SIZE = 32
LAYER_NORM_EPS = 1e-12
SIMILARITY_SCALE = 20.0  # inverse temperature of the contrastive loss

# The six linear layers of an encoder layer, as the weight file names them.
LINEARS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


def load_weights(path):
    """All float32 tensors of a .safetensors file as {name: float64 array}."""
    with open(path, "rb") as f:
        (header_size,) = struct.unpack("<Q", f.read(8))
        header = json.loads(f.read(header_size))
        data = f.read()
    weights = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            begin, end = entry["data_offsets"]
            weights[name] = np.frombuffer(data[begin:end], "<f4").reshape(entry["shape"]).astype(np.float64)
    return weights


# ---- tokenizer ----


def is_punctuation(c):
    """BERT's definition: every non-alphanumeric ASCII sign, and Unicode's P categories."""
    return (c.isascii() and c.isprintable() and not c.isalnum() and c != " ") or unicodedata.category(c)[0] == "P"


def tokenize(sentence, vocabulary):
    """Uncased BERT WordPiece of one sentence, [CLS] first and [SEP] last.  Returns a list of token ids.

    Handles European text: Chinese characters, which BERT splits singly, are refused.
    """
    text = unicodedata.normalize("NFD", sentence.lower())
    text = "".join(c for c in text if unicodedata.category(c) != "Mn")
    if any(ord(c) >= 0x2E80 for c in text):
        raise ValueError(f"tokenize: East Asian text is not supported: {sentence!r}")
    words = "".join(f" {c} " if is_punctuation(c) else c for c in text).split()
    ids = [vocabulary["[CLS]"]]
    for word in words:
        pieces, begin = [], 0
        while begin < len(word):
            prefix = "##" if begin else ""
            end = len(word)
            while end > begin and prefix + word[begin:end] not in vocabulary:
                end -= 1
            if end == begin:
                pieces = [vocabulary["[UNK]"]]
                break
            pieces.append(vocabulary[prefix + word[begin:end]])
            begin = end
        ids += pieces
    return ids + [vocabulary["[SEP]"]]


# ---- layers, each forward with its backward ----

erfc = np.frompyfunc(math.erfc, 1, 1)


def gelu(x):
    """The erf form.  x: any shape.  Returns (gelu(x), d gelu / dx).

    By erfc: 1 + erf cancels for x far below 0, and what is left would depend on the C library.
    """
    cdf = 0.5 * erfc(-x / math.sqrt(2.0)).astype(np.float64)
    return x * cdf, cdf + x * np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


def layer_norm(x, gamma, beta):
    """x: [tokens, 384].  Returns (y [tokens, 384], what layer_norm_backward needs)."""
    d = x - x.mean(axis=1, keepdims=True)
    inverse_std = 1.0 / np.sqrt((d * d).mean(axis=1, keepdims=True) + LAYER_NORM_EPS)
    xhat = d * inverse_std
    return xhat * gamma + beta, (xhat, inverse_std, gamma)


def layer_norm_backward(gy, saved):
    """gy: dLoss/dy [tokens, 384].  Returns dLoss/dx [tokens, 384]."""
    xhat, inverse_std, gamma = saved
    g = gy * gamma
    return inverse_std * (g - g.mean(axis=1, keepdims=True) - xhat * (g * xhat).mean(axis=1, keepdims=True))


def softmax(scores):
    """Along the last axis."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def split_heads(m):
    """[tokens, 384] -> [12, tokens, 32]"""
    return m.reshape(-1, HEADS, HEAD_SIZE).transpose(1, 0, 2)


def join_heads(m):
    """[12, tokens, 32] -> [tokens, 384]"""
    return m.transpose(1, 0, 2).reshape(-1, HEADS * HEAD_SIZE)


def attention(q, k, v, spans):
    """q, k, v: [tokens, 384]; spans: one (begin, end) of rows a sentence.

    Returns (context [tokens, 384], list of attention probabilities [12, length, length] a sentence).
    """
    context, probabilities = np.empty_like(q), []
    for begin, end in spans:
        qh, kh, vh = (split_heads(m[begin:end]) for m in (q, k, v))
        p = softmax(qh @ kh.transpose(0, 2, 1) / math.sqrt(HEAD_SIZE))
        context[begin:end] = join_heads(p @ vh)
        probabilities.append(p)
    return context, probabilities


def attention_backward(gcontext, q, k, v, probabilities, spans):
    """gcontext: dLoss/dcontext [tokens, 384].  Returns (gq, gk, gv), each [tokens, 384]."""
    gq, gk, gv = np.empty_like(q), np.empty_like(k), np.empty_like(v)
    for (begin, end), p in zip(spans, probabilities):
        qh, kh, vh, gh = (split_heads(m[begin:end]) for m in (q, k, v, gcontext))
        gp = gh @ vh.transpose(0, 2, 1)
        gscores = p * (gp - (gp * p).sum(axis=-1, keepdims=True)) / math.sqrt(HEAD_SIZE)
        gq[begin:end] = join_heads(gscores @ kh)
        gk[begin:end] = join_heads(gscores.transpose(0, 2, 1) @ qh)
        gv[begin:end] = join_heads(p.transpose(0, 2, 1) @ gh)
    return gq, gk, gv


def contrastive_loss(embeddings):
    """Symmetric InfoNCE over pairs with in-batch negatives.

    embeddings: [2 * pairs, 384], rows 2i and 2i+1 form a pair.  Cosine similarities times 20
    are logits; cross entropy towards the true partner, averaged over both directions and pairs.
    Returns (loss, dLoss/dembeddings [2 * pairs, 384], cosine similarities [pairs, pairs]).
    """
    norm = np.sqrt((embeddings * embeddings).sum(axis=1, keepdims=True))
    unit = embeddings / norm
    a, b = unit[0::2], unit[1::2]
    pairs = len(a)
    cosine = a @ b.T
    forward, backward = softmax(SIMILARITY_SCALE * cosine), softmax(SIMILARITY_SCALE * cosine.T)
    loss = -0.5 * (np.log(np.diag(forward)).mean() + np.log(np.diag(backward)).mean())
    gcosine = SIMILARITY_SCALE * 0.5 * ((forward - np.eye(pairs)) + (backward - np.eye(pairs)).T) / pairs
    gunit = np.empty_like(unit)
    gunit[0::2], gunit[1::2] = gcosine @ b, gcosine.T @ a
    gembeddings = (gunit - unit * (gunit * unit).sum(axis=1, keepdims=True)) / norm
    return float(loss), gembeddings, cosine


# ---- the model ----


def forward_backward(weights, token_ids, nudge=None):
    """One training step's forward and backward pass over a batch of paired sentences.

    token_ids: one list of ids a sentence, sentences 2i and 2i+1 being a pair.
    nudge: {linear name: [tokens, out]} is added to that layer's output (for checking gradients).
    Returns (loss, cosine [pairs, pairs], captured), where captured[name] of every linear layer
    holds x [tokens, in], w [out, in] and gy = dLoss/dY [tokens, out], Y = X W^T + bias, all float64.
    """
    nudge = nudge or {}
    captured = {}
    ends = np.cumsum([len(ids) for ids in token_ids]).tolist()
    spans = list(zip([0] + ends[:-1], ends))

    def linear(name, x):
        w = weights[name + ".weight"]
        captured[name] = {"x": x, "w": w}
        y = x @ w.T + weights[name + ".bias"]
        return y + nudge[name] if name in nudge else y

    def linear_backward(name, gy):
        captured[name]["gy"] = gy
        return gy @ captured[name]["w"]

    def norm(name, x):
        return layer_norm(x, weights[name + ".LayerNorm.weight"], weights[name + ".LayerNorm.bias"])

    ids = np.concatenate([np.asarray(s) for s in token_ids])
    positions = np.concatenate([np.arange(len(s)) for s in token_ids])
    h, _ = norm("embeddings", weights["embeddings.word_embeddings.weight"][ids]
                + weights["embeddings.position_embeddings.weight"][positions]
                + weights["embeddings.token_type_embeddings.weight"][0])

    saved = []
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."
        query, key, value, project, up, down = (prefix + linear_name for linear_name in LINEARS)
        q, k, v = linear(query, h), linear(key, h), linear(value, h)
        context, probabilities = attention(q, k, v, spans)
        middle, norm1 = norm(prefix + "attention.output", linear(project, context) + h)
        activated, slope = gelu(linear(up, middle))
        h, norm2 = norm(prefix + "output", linear(down, activated) + middle)
        saved.append((q, k, v, probabilities, norm1, slope, norm2))

    embeddings = np.stack([h[begin:end].mean(axis=0) for begin, end in spans])
    loss, gembeddings, cosine = contrastive_loss(embeddings)

    gh = np.concatenate([np.repeat(g[None, :] / (end - begin), end - begin, axis=0)
                         for g, (begin, end) in zip(gembeddings, spans)])
    for layer in reversed(range(LAYERS)):
        prefix = f"encoder.layer.{layer}."
        query, key, value, project, up, down = (prefix + linear_name for linear_name in LINEARS)
        q, k, v, probabilities, norm1, slope, norm2 = saved[layer]
        gsum = layer_norm_backward(gh, norm2)
        gmiddle = gsum + linear_backward(up, linear_backward(down, gsum) * slope)
        gsum = layer_norm_backward(gmiddle, norm1)
        gq, gk, gv = attention_backward(linear_backward(project, gsum), q, k, v, probabilities, spans)
        gh = gsum + linear_backward(query, gq) + linear_backward(key, gk) + linear_backward(value, gv)
    return loss, cosine, captured
