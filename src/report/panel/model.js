/* SPDX-License-Identifier: MIT */
/* The data of the page and what is looked up in it. A setting is a place on every axis and a set of guards; a run
 * is a setting with a seed. Numbers come as [value, text]: value null is what JSON has no number for. */

const data = JSON.parse(document.getElementById("data").textContent);
const settingNumbers = new Map(
    data.settings.map((setting, number) => [keyOf(setting.place, setting.guards), number]));
const guardNumbers = [...new Set(data.settings.map((setting) => setting.guards))].sort((a, b) => a - b);
const measureNumbers = new Map(data.measures.map((measure, number) => [measure.name, number]));

function keyOf(place, guards) {
    return place.join(",") + "|" + guards;
}

/* The setting of a place and a set of guards, or null: not every combination is in every sweep. */
function settingOf(place, guards) {
    const number = settingNumbers.get(keyOf(place, guards));
    return number === undefined ? null : data.settings[number];
}

function runOf(place, guards, seed) {
    const number = settingNumbers.get(keyOf(place, guards));
    return number === undefined ? null : data.runs[seed][number];
}

/* Whether the results hold a measure: a sweep may store a few only, the mean row-max among them. */
function holds(name) {
    return measureNumbers.has(name);
}

function labelOf(name) {
    return data.measures[measureNumbers.get(name)].label;
}

function hasWeights(run) {
    return run !== null && run.weights !== undefined;
}

/* A measure of a run, with a word where there is no number. */
function valueOf(run, name) {
    if (run === null) {
        return { value: null, text: "not run" };
    }
    if (run.failed !== undefined) {
        return { value: null, text: "failed" };
    }
    const [value, text] = run.values[measureNumbers.get(name)];
    return { value, text };
}

/* Its mean over all seeds of the sweep: value, half the width of the interval or null, text. */
function meanOf(setting, name) {
    if (setting === null) {
        return { value: null, half: null, text: "not run" };
    }
    const [value, half, text] = setting.means[measureNumbers.get(name)];
    return { value, half, text };
}

/* Bits of a set of guards as its name: "init + scale". */
function guardsName(guards) {
    const names = data.guards.filter((_, bit) => guards >> bit & 1).map((guard) => guard.name);
    return names.length === 0 ? "none" : names.join(" + ");
}

function plural(count, word) {
    return count.toLocaleString("en-GB") + " " + word + (count === 1 ? "" : "s");
}

/* The same place with another value on one axis. */
function movedTo(place, axis, value) {
    return place.map((old, number) => number === axis ? value : old);
}

/* "demo (8 sentences)". */
function valueName(axis, value) {
    const { label, note } = data.axes[axis].values[value];
    return note === "" ? label : label + " (" + note + ")";
}

function isSaturated(run, setting) {
    const { value } = valueOf(run, "row_max_mean");
    return value !== null && value >= setting.threshold;
}

/* An element of HTML with text and attributes, added to its parent. */
function addElement(parent, name, text = "", attributes = {}) {
    const element = document.createElement(name);
    element.textContent = text;
    for (const [key, value] of Object.entries(attributes)) {
        element.setAttribute(key, value);
    }
    parent.append(element);
    return element;
}

function byId(id) {
    return document.getElementById(id);
}
