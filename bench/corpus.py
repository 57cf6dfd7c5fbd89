#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A text whose words follow Zipf's law, with topics: corpus.py FILE BYTES. The same bytes every time."""
import sys

import numpy as np

WORDS = 50000
TOPICS = 40
EXPONENT = 1.05
TOPICAL = 0.3  # share of words that a topic chooses
WORDS_A_TEXT = 300
LETTERS = np.frombuffer(b"etaoinshrdlucmfwypvbgkjqxz", dtype=np.uint8)


def make_words(generator):
    """Distinct; the more frequent, the shorter."""
    words, seen = [], set()
    while len(words) < WORDS:
        length = int(np.clip(generator.normal(2 + 0.6 * np.log(len(words) + 1), 1.2), 1, 14))
        word = LETTERS[np.minimum(generator.geometric(0.12, length) - 1, 25)].tobytes()
        if word not in seen:
            seen.add(word)
            words.append(word)
    return np.array(words, dtype=object)


def make_text(generator, words, chances, order):
    """The words of one text, in sentences of 6 to 30 words, each a line that ends in a full stop."""
    ranks = np.searchsorted(chances, generator.random(WORDS_A_TEXT))
    topical = generator.random(WORDS_A_TEXT) < TOPICAL
    ranks[topical] = order[ranks[topical]]
    chosen = words[ranks].tolist()
    ends = np.cumsum(generator.integers(6, 31, WORDS_A_TEXT // 6))
    begins = [0] + [int(end) for end in ends if end < WORDS_A_TEXT]
    sentences = (chosen[a:b] for a, b in zip(begins, begins[1:] + [WORDS_A_TEXT]))
    return b"".join(b" ".join(sentence) + b".\n" for sentence in sentences)


def main():
    generator = np.random.default_rng(11)
    words = make_words(generator)
    chances = np.cumsum((np.arange(WORDS) + 2.7) ** -EXPONENT)
    chances /= chances[-1]
    orders = [generator.permutation(WORDS) for _ in range(TOPICS)]
    left = int(sys.argv[2])
    with open(sys.argv[1], "wb") as file:
        while left > 0:
            left -= file.write(make_text(generator, words, chances, orders[generator.integers(TOPICS)]))


if __name__ == "__main__":
    main()
