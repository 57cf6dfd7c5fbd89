/* SPDX-License-Identifier: MIT */
/* What the reader chooses: place, seed, guards and step of the lesson; in words, in numbers and in the address. */

const state = { place: data.axes.map(() => 0), seed: 0, guards: 0, step: 0 };

/* ---- what is chosen, in words and in the address ---- */

function placeName() {
    return state.place.map((value, axis) => data.axes[axis].values[value].phrase);
}

function seedName() {
    return "seed " + data.seeds[state.seed];
}

function seedsName() {
    return plural(data.seeds_run, "seed");
}

/* The mean row-max of a seed in a setting, that of all seeds, and half the width of its interval; null if unknown. */
function besideMean(number, seed) {
    const own = valueOf(data.runs[seed][number], "row_max_mean").value;
    const { value, half } = meanOf(data.settings[number], "row_max_mean");
    return own === null || value === null ? null : { own, value, half };
}

/* How far a seed lies from the means of all settings: squares, each in units of the half width, which is the spread of
 * the seeds times a number that all settings share. Infinity where not one setting can be compared. */
function distanceOf(seed) {
    const parts = data.settings.map((_, number) => besideMean(number, seed)).filter((pair) => pair !== null);
    return parts.length === 0 ? Infinity
        : parts.reduce((sum, { own, value, half }) => sum + (half > 0 ? ((own - value) / half) ** 2 : 0), 0);
}

/* Whether a seed shows what the means show in the first step of the lesson, at every value of the axis. */
function showsFirstStep(seed) {
    const values = data.trend === null ? [state.place] : data.axes[data.trend].values.map((_, value) =>
        movedTo(state.place, data.trend, value));
    return values.every((place) => {
        const number = settingNumbers.get(keyOf(place, state.guards));
        const pair = number === undefined ? null : besideMean(number, seed);
        return pair !== null &&
            (pair.own >= data.settings[number].threshold) === (pair.value >= data.settings[number].threshold);
    });
}

/* The seed that can stand for the others: the nearest to the means, of those that show the first step if any does. */
function typicalSeed() {
    const all = data.seeds.map((_, seed) => seed);
    const showing = all.filter(showsFirstStep);
    const seeds = showing.length > 0 ? showing : all;
    const distances = seeds.map(distanceOf);
    const least = Math.min(...distances);
    return least === Infinity ? state.seed : seeds[distances.indexOf(least)];
}

/* The page opens where there are weights to see, and at the first step of the lesson if it has one. */
function takeFirst() {
    state.seed = Math.max(data.runs.findIndex((runs) => runs.some(hasWeights)), 0);
    const number = Math.max(data.runs[state.seed].findIndex(hasWeights), 0);
    state.place = [...data.settings[number].place];
    state.guards = data.settings[number].guards;
    if (data.steps.length > 0) {
        takeStep(0);
        state.seed = typicalSeed();
        takeStep(0);
    }
}

/* The address names the choice, so that a link opens the page as it is now. */
function writeAddress() {
    const words = new URLSearchParams();
    data.axes.forEach((axis, number) => words.set(axis.name, axis.values[state.place[number]].label));
    words.set("seed", String(data.seeds[state.seed]));
    words.set("guards", guardsName(state.guards).replaceAll(" ", ""));
    words.set("step", String(state.step + 1));
    try {
        history.replaceState(null, "", "#" + words);
    } catch {
        /* A page in a frame may not have an address of its own: the choice stands all the same. */
    }
}

/* Takes over what an address names and the data has. */
function readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    const step = Number(words.get("step")) - 1;
    if (data.steps[step] !== undefined) {
        takeStep(step);
    }
    data.axes.forEach((axis, number) => {
        const value = axis.values.findIndex((each) => each.label === words.get(axis.name));
        state.place[number] = value < 0 ? state.place[number] : value;
    });
    const seed = data.seeds.findIndex((each) => String(each) === words.get("seed"));
    state.seed = seed < 0 ? state.seed : seed;
    if (words.has("guards")) {
        const names = words.get("guards").split(/[+ ]+/);
        state.guards = data.guards.reduce((mask, guard, bit) => mask | (names.includes(guard.name) ? 1 << bit : 0), 0);
    }
}

/* ---- the lesson ---- */

function takeStep(number) {
    const step = data.steps[number];
    state.step = number;
    state.guards = step.guards;
    if (data.trend !== null) {
        state.place[data.trend] = endOfTrend(step.end);
    }
}

/* The first or last value on the axis of the lesson; of those with weights to see, if there are any. */
function endOfTrend(end) {
    const all = data.axes[data.trend].values.map((_, value) => value);
    const seen = all.filter((value) =>
        hasWeights(runOf(movedTo(state.place, data.trend, value), state.guards, state.seed)));
    return (seen.length > 0 ? seen : all).at(end === "last" ? -1 : 0);
}

function trendText(name) {
    const last = data.axes[data.trend].values.length - 1;
    const ends = [0, last].map((value) =>
        valueOf(runOf(movedTo(state.place, data.trend, value), state.guards, state.seed), name).text);
    return ends.join(" → ");
}

/* "score spread 2.57 → 58,300, mean row-max 0.425 → 0.855" for those that the results hold. */
function changesOf(names, changeOf) {
    return names.filter(holds).map((name) => labelOf(name) + " " + changeOf(name)).join(", ");
}

/* "From demo to harbour, seed 1: ..." */
function walkNumbers() {
    const values = data.axes[data.trend].values;
    return "From " + values[0].phrase + " to " + values[values.length - 1].phrase + ", " + seedName() +
        ", guards " + guardsName(state.guards) + ": " +
        changesOf(["input_std", "score_std", "row_max_mean"], trendText) + ".";
}

/* "harbour, seed 1, from no guard to init: ..." */
function changeNumbers(step) {
    const name = (guards) => guards === 0 ? "no guard" : guardsName(guards);
    const changeOf = (measure) => [step.before, step.guards].map((guards) =>
        valueOf(runOf(state.place, guards, state.seed), measure).text).join(" → ");
    return [...placeName(), seedName()].join(", ") + ", from " + name(step.before) + " to " + name(step.guards) +
        ": " + changesOf(["score_std", "row_max_mean"], changeOf) + ".";
}

function stepNumbers() {
    const step = data.steps[state.step];
    if (step.before !== step.guards) {
        return settingOf(state.place, step.before) === null ? "" : changeNumbers(step);
    }
    return data.trend === null ? "" : walkNumbers();
}

function showStep() {
    const step = data.steps[state.step];
    byId("lesson").hidden = step === undefined;
    if (step === undefined) {
        return;
    }
    setText("step-title", (state.step + 1) + " of " + data.steps.length + ": " + step.title);
    setText("step-text", step.text.join(" "));
    setText("step-numbers", stepNumbers());
    [...byId("step-list").querySelectorAll("button")].forEach((button, number) => {
        button.toggleAttribute("aria-current", number === state.step);
        if (number === state.step) {
            button.setAttribute("aria-current", "step");
        }
    });
    byId("step-back").disabled = state.step === 0;
    byId("step-next").disabled = state.step === data.steps.length - 1;
}
