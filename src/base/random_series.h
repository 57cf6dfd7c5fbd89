/* SPDX-License-Identifier: MIT */
/* The series behind normal numbers, once for all instruction sets. A file that includes this has
 * said before what its numbers are:
 *     struct vectors { ... of[SIDES]; }
 *     real(a), sum(a, b), product(a, b), fused(a, b, c)
 * fused is a b + c, rounded once where the processor can. PART begins a function. EACH_SIDE is the
 * loop over sides: while a vector waits for a step of its own, the others go on.
 *
 * Coefficients make the greatest error least (Remez), found in 200 bits and rounded to doubles. */
#ifndef BASE_RANDOM_SERIES_H
#define BASE_RANDOM_SERIES_H

/* Of the two uniforms u and v of a block; u = m 2^k, as random_internal.h has it, where the factor
 * and the logarithm of the part are, too. */
struct arguments {
    struct vectors y;     /* 2 + factor m */
    struct vectors whole; /* -2 k ln 2 + logarithm: the rest of -2 ln u is -2 ln(1 - y / 2) */
    struct vectors turn;  /* v less its nearest quarter, times 2^66: at most 2^63 in size */
};

struct series {
    struct vectors square; /* -2 ln u */
    struct vectors sine, cosine;
};

/* series = series * z + term */
PART void add_term(struct vectors *series, const struct vectors *z, double term)
{
    EACH_SIDE
    {
        series->of[side] = fused(series->of[side], z->of[side], real(term));
    }
}

/* series = series * z + term */
PART void add_terms(struct vectors *series, const struct vectors *z, const struct vectors *term)
{
    EACH_SIDE
    {
        series->of[side] = fused(series->of[side], z->of[side], term->of[side]);
    }
}

PART struct vectors start(double term)
{
    struct vectors out;
    EACH_SIDE
    {
        out.of[side] = real(term);
    }
    return out;
}

PART struct vectors products(const struct vectors *a, const struct vectors *b)
{
    struct vectors out;
    EACH_SIDE
    {
        out.of[side] = product(a->of[side], b->of[side]);
    }
    return out;
}

/* The logarithm's series in y, -0.0625 <= y <= 0.0575, is y + y^2 (even + y odd) in powers of y^2.
 * It is off by less than 2^-58 of what it makes -2 ln u. Those of the angle are turn (2 pi + z
 * ...), off by 2^-56 of the sine, and 1 + z ..., off by 2^-55, in powers of z = turn^2. The steps
 * of the four take turns, as they wait for their own only. */
PART void make_series(const struct arguments *of, struct series *out)
{
    const struct vectors square = products(&of->y, &of->y);
    const struct vectors z = products(&of->turn, &of->turn);
    struct vectors even = start(0x1.0056d1dcaeca3p-10);
    struct vectors odd = start(0x1.c3a20a90d6749p-12);
    struct vectors sine = start(0x1.e3ff274fc699ap-857);
    struct vectors cosine = start(-0x1.b263c12a643fep-924);
    add_term(&even, &square, 0x1.555549b4fe046p-8);
    add_term(&odd, &square, 0x1.2492e6ced18cap-9);
    add_term(&sine, &z, -0x1.e300989613cc5p-723);
    add_term(&cosine, &z, 0x1.f9cc40a4edf42p-790);
    add_term(&even, &square, 0x1.0000000046614p-5);
    add_term(&odd, &square, 0x1.9999998b22258p-7);
    add_term(&sine, &z, 0x1.5078300c40b2dp-589);
    add_term(&cosine, &z, -0x1.a6d1ec7e007adp-656);
    add_term(&even, &square, 0x1.ffffffffffff1p-3);
    add_term(&odd, &square, 0x1.555555555581ep-4);
    add_term(&sine, &z, -0x1.32d2cce324120p-456);
    add_term(&cosine, &z, 0x1.e1f5068367a28p-523);
    add_terms(&odd, &of->y, &even);
    add_terms(&odd, &square, &of->y);
    EACH_SIDE
    {
        out->square.of[side] = sum(of->whole.of[side], odd.of[side]);
    }
    add_term(&sine, &z, 0x1.466bc67758cb2p-324);
    add_term(&cosine, &z, -0x1.55d3c7e3c927fp-390);
    add_term(&sine, &z, -0x1.4abbce625be46p-193);
    add_term(&cosine, &z, 0x1.03c1f081b5aaep-258);
    add_term(&cosine, &z, -0x1.3bd3cc9be45dep-128);
    add_term(&cosine, &z, 1);
    const struct vectors cube = products(&of->turn, &z);
    EACH_SIDE
    {
        out->sine.of[side] = fused(of->turn.of[side], real(0x1.921fb54442d18p-64),
                                   product(cube.of[side], sine.of[side]));
    }
    out->cosine = cosine;
}

#endif
