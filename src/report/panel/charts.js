/* SPDX-License-Identifier: MIT */
/* Charts as SVG, drawn to the width that they have: text keeps its size on a phone. */

const plot = { left: 46, right: 12, top: 10, bottom: 40, height: 190 };

function addShape(parent, name, attributes, text) {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) {
        shape.setAttribute(key, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
    }
    if (text !== undefined) {
        shape.textContent = text;
    }
    parent.append(shape);
    return shape;
}

/* An empty picture that fills its parent. */
function addPicture(parent, width, height, label) {
    return addShape(parent, "svg", {
        viewBox: "0 0 " + width + " " + height, width, height, role: "img", "aria-label": label
    });
}

/* "10⁻²" and, near 1, plain numbers. */
function powerText(exponent) {
    if (exponent >= -2 && exponent <= 4) {
        return exponent < 0 ? (10 ** exponent).toFixed(-exponent) : (10 ** exponent).toLocaleString("en-GB");
    }
    const raised = [...String(exponent)].map((digit) => digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
    return "10" + raised.join("");
}

/* A scale for positive numbers over several decades. */
function logScale(least, most) {
    const from = Math.floor(Math.log10(least) + 0.02);
    const to = Math.max(Math.ceil(Math.log10(most) - 0.02), from + 1);
    const step = Math.ceil((to - from) / 4);
    const ticks = [];
    for (let exponent = from; exponent <= to; exponent += step) {
        ticks.push({ value: 10 ** exponent, text: powerText(exponent) });
    }
    return { ticks, part: (value) => (Math.log10(value) - from) / (to - from), holds: (value) => value > 0 };
}

/* One from 0, or from below where numbers are negative, in round steps. */
function linearScale(least, most) {
    const span = Math.max(most - Math.min(least, 0), 1e-300);
    const power = 10 ** Math.floor(Math.log10(span / 4));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => span / size <= 5.001);
    const from = Math.floor(Math.min(least, 0) / step + 1e-9);
    const to = Math.ceil(most / step - 1e-9);
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) + (step / power === 2.5 ? 1 : 0);
    const ticks = [];
    for (let count = from; count <= to; count++) {
        ticks.push({ value: count * step, text: (count * step).toFixed(decimals) });
    }
    return { ticks, part: (value) => (value / step - from) / (to - from), holds: () => true };
}

/* Spreads go over decades; shares and gradients start at 0. `values` are finite. */
function scaleOf(values, mayBeLog) {
    const least = Math.min(...values);
    const most = Math.max(...values);
    if (mayBeLog && least > 0 && most > 30 * least) {
        return logScale(least, most);
    }
    return linearScale(least, most > 0 ? most : 1);
}

/* Where value number i of `count` lies between left and right. */
function placeOf(i, count, width) {
    const inner = width - plot.left - plot.right;
    return plot.left + inner * (i + 0.5) / count;
}

function heightOf(scale, value) {
    const inner = plot.height - plot.top - plot.bottom;
    return plot.top + inner * (1 - Math.min(Math.max(scale.part(value), 0), 1));
}

/* A line through points; null interrupts it. */
function addLine(svg, points, className) {
    let path = "";
    let pen = "M";
    for (const point of points) {
        path += point === null ? "" : pen + point.x.toFixed(1) + " " + point.y.toFixed(1);
        pen = point === null ? "M" : "L";
    }
    if (path !== "") {
        addShape(svg, "path", { d: path, class: className });
    }
}

function addGrid(svg, scale, width) {
    for (const tick of scale.ticks) {
        const y = heightOf(scale, tick.value);
        addShape(svg, "line", { x1: plot.left, x2: width - plot.right, y1: y, y2: y, class: "grid" });
        addShape(svg, "text", { x: plot.left - 6, y: y + 4, class: "tick end" }, tick.text);
    }
}

function cut(text, characters) {
    const letters = [...text];
    return letters.length <= characters ? text : letters.slice(0, characters - 1).join("") + "…";
}

/* Names under the axis, as many as there is room for; the current one in bold. */
function addNames(svg, names, current, width) {
    const room = (width - plot.left - plot.right) / names.length;
    const step = Math.ceil(46 / room);
    const notesFit = names.every((name) => name.note.length * 6.5 + 6 < room);
    names.forEach((name, i) => {
        if (i !== current && (i % step !== 0 || Math.abs(i - current) < step)) {
            return;
        }
        const x = placeOf(i, names.length, width);
        const label = cut(name.label, Math.max(5, Math.floor(room * step / 7)));
        const text = addShape(svg, "text", {
            x, y: plot.height - plot.bottom + 18, class: i === current ? "tick middle current" : "tick middle"
        }, label);
        if (label !== name.label) {
            addShape(text, "title", {}, name.label);
        }
        if (name.note !== "" && notesFit) {
            addShape(svg, "text", { x, y: plot.height - plot.bottom + 33, class: "tick small middle" }, name.note);
        }
    });
}

function pointsOf(numbers, scale, width) {
    return numbers.map((value, i) => value === null || !scale.holds(value) ? null
        : { x: placeOf(i, numbers.length, width), y: heightOf(scale, value) });
}

/* The interval of the mean at each place, as a pale bar with its mean. */
function addIntervals(svg, means, scale, width) {
    means.forEach((mean, i) => {
        if (mean.value === null || !scale.holds(mean.value)) {
            return;
        }
        const x = placeOf(i, means.length, width);
        const low = mean.value - (mean.half ?? 0);
        const bottom = scale.holds(low) ? heightOf(scale, low) : plot.height - plot.bottom;
        const top = heightOf(scale, mean.value + (mean.half ?? 0));
        addShape(svg, "rect", { x: x - 7, y: top, width: 14, height: Math.max(bottom - top, 2), class: "interval" });
        const y = heightOf(scale, mean.value);
        addShape(svg, "line", { x1: x - 7, x2: x + 7, y1: y, y2: y, class: "mean" });
    });
}

/* One measure along an axis. `chart`: label, names, current, values (of the run at each place), others (the same
 * for the other sets of guards), means, limits (more numbers that the scale holds), threshold, mayBeLog. */
function drawCurve(parent, chart) {
    const width = Math.max(parent.clientWidth, 160);
    parent.replaceChildren();
    const svg = addPicture(parent, width, plot.height, chart.label);
    const scale = scaleOf(chart.limits, chart.mayBeLog);
    addGrid(svg, scale, width);
    const here = placeOf(chart.current, chart.names.length, width);
    const room = (width - plot.left - plot.right) / chart.names.length;
    addShape(svg, "rect", {
        x: here - Math.min(room / 2, 34), width: Math.min(room, 68), y: plot.top,
        height: plot.height - plot.top - plot.bottom, class: "here"
    });
    chart.others.forEach((values) => addLine(svg, pointsOf(values, scale, width), "other"));
    addIntervals(svg, chart.means, scale, width);
    if (chart.threshold !== null) {
        const y = heightOf(scale, chart.threshold);
        addShape(svg, "line", { x1: plot.left, x2: width - plot.right, y1: y, y2: y, class: "threshold" });
    }
    const points = pointsOf(chart.values, scale, width);
    addLine(svg, points, "run");
    points.forEach((point, i) => {
        if (point !== null) {
            addShape(svg, "circle", { cx: point.x, cy: point.y, r: i === chart.current ? 6 : 4, class: "run" });
        }
    });
    addNames(svg, chart.names, chart.current, width);
}

/* Where the parts of a bar lie: beside its name, or below it where there is little room. */
function barPlaces(width) {
    return width < 480 ? { left: 2, right: 10, row: 42, name: 16, bar: 24 }
        : { left: 158, right: 126, row: 28, name: 17, bar: 6 };
}

/* Bars, one below the other. `chart`: label, rows (name, value, text, mean, isCurrent), threshold. */
function drawBars(parent, chart) {
    const width = Math.max(parent.clientWidth, 200);
    const places = barPlaces(width);
    const bottom = chart.rows.length * places.row;
    const inner = width - places.left - places.right;
    const most = Math.max(1, ...chart.rows.map((bar) => bar.value ?? 0));
    const across = (value) => places.left + inner * Math.min(Math.max(value / most, 0), 1);
    parent.replaceChildren();
    const svg = addPicture(parent, width, bottom + 22, chart.label);
    chart.rows.forEach((bar, i) => {
        if (bar.isCurrent) {
            addShape(svg, "rect", { x: 0, y: i * places.row, width, height: places.row, rx: 4, class: "here" });
        }
    });
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
        const x = across(part * most);
        addShape(svg, "line", { x1: x, x2: x, y1: 0, y2: bottom + 4, class: "grid" });
        addShape(svg, "text", {
            x, y: bottom + 17, class: "tick " + (width - x < 20 ? "end" : x < 20 ? "" : "middle")
        }, String(Number((part * most).toPrecision(3))));
    }
    chart.rows.forEach((bar, i) => addBar(svg, bar, { ...places, y: i * places.row, across }));
    if (chart.threshold !== null) {
        const x = across(chart.threshold);
        addShape(svg, "line", { x1: x, x2: x, y1: 0, y2: bottom + 4, class: "threshold" });
    }
    chart.rows.forEach((bar, i) => addBarName(svg, bar, i * places.row + places.name, width));
}

/* Above all lines, which a text on a phone may meet. */
function addBarName(svg, bar, base, width) {
    const state = bar.isCurrent ? " current" : "";
    if (bar.isCurrent) {
        addShape(svg, "path", { d: "M4 " + (base - 9) + "l8 5l-8 5z", class: "marker" });
    }
    addShape(svg, "text", { x: 17, y: base, class: "tick name" + state }, bar.name);
    addShape(svg, "text", { x: width - 6, y: base, class: "tick name end" + state }, bar.text);
}

function addBar(svg, bar, at) {
    const state = bar.isCurrent ? " current" : "";
    if (bar.value !== null) {
        const width = Math.max(at.across(bar.value) - at.left, 1);
        addShape(svg, "rect", { x: at.left, y: at.y + at.bar, width, height: 14, class: "bar" + state });
    }
    if (bar.mean.value !== null && bar.mean.half !== null) {
        const from = at.across(bar.mean.value - bar.mean.half).toFixed(1);
        const to = at.across(bar.mean.value + bar.mean.half).toFixed(1);
        const top = at.y + at.bar + 2;
        addShape(svg, "path", {
            d: "M" + from + " " + top + "v10m0 -5H" + to + "m0 -5v10", class: "whisker"
        });
    }
}
