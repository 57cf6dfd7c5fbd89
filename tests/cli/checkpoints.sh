# SPDX-License-Identifier: MIT
# docs/checkpoints.md: its script, its sweep and its commands work as printed, and measure what numpy does.
. "$2/tests/support/cli.sh"

# block LANGUAGE: the text of the page's only block of that language.
block() { awk -v fence="\`\`\`$1" '$0 == fence {inside = 1; next} /^```/ {inside = 0} inside' "$SOURCE/docs/checkpoints.md"; }
block python >make_checkpoint.py
block yaml >checkpoint.yaml
block sh >commands.sh
for part in make_checkpoint.py checkpoint.yaml commands.sh; do
  [ -s $part ] || fail "docs/checkpoints.md lacks the block for $part"
done
mkdir bin
ln -s "$ROWMAX" bin/rowmax
ln -s /usr/bin/python3 bin/python3
PATH="$WORK/bin:$PATH" sh -e commands.sh >out 2>err || fail "the commands of docs/checkpoints.md fail"
prints "8 of 8 runs, 0 failed"
[ -s reports/checkpoint/report.md ] || fail "there is no report"

/usr/bin/python3 - <<'EOT' || fail "the page is not borne out"
import h5py, json, numpy as np

raw = open("model.safetensors", "rb").read()
length = int.from_bytes(raw[:8], "little")
header = json.loads(raw[8:8 + length])
def tensor(name):
    entry = header[name]
    first, last = entry["data_offsets"]
    return np.frombuffer(raw[8 + length:][first:last], "<f4").astype("f8").reshape(entry["shape"])
def rotate(rows):
    place = np.arange(len(rows))[:, None]
    angle = place / 10000 ** (2 * np.arange(4) / 8)
    a, b = rows[:, :4], rows[:, 4:]
    return np.hstack([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)])

f = h5py.File("results/checkpoint.h5")
assert len(f["run"]) == 8 and (f["status"][:] == 0).all()
for i in range(8):
    layer, head = i // 4, i % 4
    assert f["head"][i] == head
    x = tensor(f"hidden.{layer}")
    q = rotate(x @ tensor(f"layers.{layer}.q_proj.weight")[head * 8:][:8].T)
    k = rotate(x @ tensor(f"layers.{layer}.k_proj.weight")[head // 2 * 8:][:8].T)
    s = np.where(np.tri(12) > 0, q @ k.T / np.sqrt(8), -np.inf)
    p = np.exp(s - s.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    # The first query sees itself alone and has nothing to choose.
    assert np.isclose(f["row_max_mean"][i], p.max(1)[1:].mean(), rtol=1e-12), i
    if (layer, head) == (1, 2):
        assert f["row_max_mean"][i] > 0.9
    else:
        assert 0.3 < f["row_max_mean"][i] < 0.5
EOT
exit $FAILED
