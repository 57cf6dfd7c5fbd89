#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Learning as a script does it; processor seconds and what was found, a name and a number a line.

learning.py dictionary TEXT MIN_COUNT WINDOW    counts pairs in a dictionary
learning.py numpy TEXT MIN_COUNT WINDOW         in arrays, and a sparse matrix of scipy
learning.py eigsh MATRIX RANK                   eigenpairs of largest magnitude of a matrix that learning.c wrote
A sentence is a line that ends in a full stop.
"""
import sys
import time
from collections import Counter, defaultdict


def read_sentences(path):
    with open(path, encoding="ascii") as file:
        return [line.rstrip(".\n").split() for line in file]


def frequent(sentences, min_count):
    counts = Counter(word for sentence in sentences for word in sentence)
    return {word: i for i, word in enumerate(word for word, count in counts.items() if count >= min_count)}


def count_in_dictionary(path, min_count, window):
    sentences = read_sentences(path)
    numbers = frequent(sentences, min_count)
    pairs = defaultdict(int)
    for sentence in sentences:
        ids = [numbers[word] for word in sentence if word in numbers]
        for i, word in enumerate(ids):
            for other in ids[max(0, i - window):i]:
                pairs[word, other] += 1
                pairs[other, word] += 1
    return len(pairs), sum(pairs.values())


def count_in_arrays(path, min_count, window):
    import numpy as np
    import scipy.sparse

    sentences = read_sentences(path)
    numbers = frequent(sentences, min_count)
    kept = [[numbers[word] for word in sentence if word in numbers] for sentence in sentences]
    ids = np.array([word for sentence in kept for word in sentence], dtype=np.int32)
    line = np.repeat(np.arange(len(kept), dtype=np.int32), [len(sentence) for sentence in kept])
    counts = scipy.sparse.csr_matrix((len(numbers), len(numbers)))
    for distance in range(1, window + 1):
        together = line[distance:] == line[:-distance]
        left, right = ids[distance:][together], ids[:-distance][together]
        ones = np.ones(len(left))
        counts = counts + scipy.sparse.coo_matrix((ones, (left, right)), shape=counts.shape).tocsr()
    counts = counts + counts.T
    return counts.nnz, counts.sum()


def read_matrix(path):
    import numpy as np
    import scipy.sparse

    with open(path, "rb") as file:
        order, entries = np.fromfile(file, np.uint64, 2).astype(int)
        starts = np.fromfile(file, np.uint64, order + 1).astype(np.int64)
        columns = np.fromfile(file, np.uint32, entries).astype(np.int32)
        values = np.fromfile(file, np.float64, entries)
    return scipy.sparse.csr_matrix((values, columns, starts), shape=(order, order))


def decompose(path, rank):
    import scipy.sparse.linalg

    matrix = read_matrix(path)
    begin = time.process_time()
    values, _ = scipy.sparse.linalg.eigsh(matrix, k=rank, which="LM")
    print("processor", time.process_time() - begin)
    for i, value in enumerate(sorted(abs(values), reverse=True)):
        print(f"value_{i}", repr(float(value)))


def main():
    if sys.argv[1] == "eigsh":
        decompose(sys.argv[2], int(sys.argv[3]))
        return
    count = count_in_dictionary if sys.argv[1] == "dictionary" else count_in_arrays
    begin = time.process_time()
    entries, pairs = count(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    print("processor", time.process_time() - begin)
    print("entries", entries)
    print("pairs", int(pairs))


if __name__ == "__main__":
    main()
