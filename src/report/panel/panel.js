/* SPDX-License-Identifier: MIT */
/* The page drawn anew from what the reader chooses. */

/* Writes only what is new: a region that is read aloud would be read again. */
function setText(id, text) {
    if (byId(id).textContent !== text) {
        byId(id).textContent = text;
    }
}

/* ---- measures ---- */

function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/* A number that stays on its line; an interval behind it, and its upper end, may take the next. */
function unbroken(text) {
    return text.replaceAll(" ", "\u00a0").replace("\u00a0[", " [").replace("\u00a0to\u00a0", "\u00a0to ");
}

function addTiles() {
    for (const measure of data.measures) {
        const tile = addElement(byId("tiles"), "div", "", { class: "tile", "data-measure": measure.name });
        addElement(tile, "dt", capital(measure.label));
        addElement(tile, "dd", "", { class: "value" });
        addElement(tile, "dd", "", { class: "mean" });
        addElement(byId("glossary"), "dt", capital(measure.label));
        addElement(byId("glossary"), "dd", capital(measure.help) + ".");
    }
}

function showTiles(run, setting) {
    for (const tile of byId("tiles").children) {
        const name = tile.dataset.measure;
        const text = unbroken(valueOf(run, name).text);
        tile.querySelector(".value").textContent = text;
        tile.querySelector(".value").classList.toggle("wide", text.length > 9);
        tile.querySelector(".mean").textContent = "mean of " + seedsName() + ": " + unbroken(meanOf(setting, name).text);
        tile.classList.toggle("alarm", name === "row_max_mean" && setting !== null && isSaturated(run, setting));
    }
}

/* What the chosen seed shows and, beside it, what the report says of all seeds: they can differ. */
function verdictText(run, setting) {
    const own = isSaturated(run, setting) ? "saturated" : "not saturated";
    const threshold = " (threshold " + setting.threshold_text + ")";
    return data.seeds_run < 2 ? ", " + own + threshold
        : " – this seed: " + own + "; mean of " + seedsName() + " " + meanOf(setting, "row_max_mean").text + ": " +
            setting.verdict + threshold;
}

function stateText(run, setting) {
    const where = "Now: " + [...placeName(), seedName(), "guards " + guardsName(state.guards)].join(", ") + ": ";
    if (setting === null || run === null) {
        return where + "this was not run. The sweep has the guards " + guardNumbers.map(guardsName).join("; ") + ".";
    }
    if (run.failed !== undefined) {
        return where + "the run failed: " + run.failed + ".";
    }
    const rowMax = valueOf(run, "row_max_mean");
    const verdict = rowMax.value === null ? "" : verdictText(run, setting);
    const others = ["score_std", "jacobian_norm_mean"].filter(holds);
    return where + "mean row-max " + rowMax.text + verdict +
        others.map((name) => "; " + labelOf(name) + " " + valueOf(run, name).text).join("") + ".";
}

function showState(run, setting) {
    setText("state", stateText(run, setting));
    const known = setting !== null && valueOf(run, "row_max_mean").value !== null;
    byId("state").className = "state" + (!known ? " unknown" : isSaturated(run, setting) ? " alarm" : " calm");
}

/* ---- weights ---- */

function noMatrixReason(run) {
    if (run === null) {
        return "This was not run, so there are no weights.";
    }
    if (run.failed !== undefined) {
        return "The run failed, so there are no weights: " + run.failed;
    }
    return data.matrices_left_out ? "The weights of this run had no room in this page."
        : "The sweep keeps no weights of this run.";
}

function matrixNote(run) {
    const cut = run.queries > data.shown || run.tokens > data.shown;
    return "A row is a query; it shares its weight over the keys. The largest weight of each row has a frame. " +
        "<.01 is more than 0, and >.99 less than 1." +
        (!cut ? "" : " The first " + Math.min(run.queries, data.shown) + " of " + plural(run.queries, "row") + " and " +
            Math.min(run.tokens, data.shown) + " of " + plural(run.tokens, "key") +
            " are shown, and the largest of these is framed.");
}

function showWeights(run) {
    const known = hasWeights(run);
    setText("matrix-note", known ? matrixNote(run) : "");
    byId("matrix-key").hidden = !known;
    if (known) {
        showMatrix(byId("matrix"), run);
    } else {
        showNoMatrix(byId("matrix"), noMatrixReason(run));
    }
}

/* Numbers in the cells where they have room, or where the reader wants them: the table scrolls then. */
function addNumberSwitch() {
    const box = byId("numbers");
    const follow = () => byId("matrix").classList.toggle("bare", !box.checked);
    const most = matchMedia("(min-width: 34rem)").matches ? 16 : 9;
    box.checked = data.runs.flat().every((run) => run === null || !(run.tokens > most));
    box.addEventListener("change", follow);
    follow();
}

/* ---- charts ---- */

function addTable(parent, caption, heads, rows) {
    parent.replaceChildren();
    const table = addElement(parent, "table", "", { class: "plain" });
    addElement(table, "caption", caption);
    const head = addElement(addElement(table, "thead"), "tr");
    heads.forEach((name) => addElement(head, "th", name, { scope: "col" }));
    const body = addElement(table, "tbody");
    for (const [name, ...cells] of rows) {
        const row = addElement(body, "tr");
        addElement(row, "th", name, { scope: "row" });
        cells.forEach((text) => addElement(row, "td", text));
    }
}

function barRows() {
    return guardNumbers.map((guards) => {
        const setting = settingOf(state.place, guards);
        const { value, text } = valueOf(runOf(state.place, guards, state.seed), "row_max_mean");
        return {
            guards, name: guardsName(guards), value, text, isCurrent: guards === state.guards,
            mean: meanOf(setting, "row_max_mean"), setting
        };
    });
}

function showBars(threshold, thresholdText) {
    const rows = barRows();
    const where = [...placeName(), seedName()].join(", ");
    drawBars(byId("bars"), {
        label: "Bar chart of the mean row-max, " + where + ". " + rows.map((bar) => bar.name + " " + bar.text).join("; "),
        rows, threshold
    });
    const whiskers = data.seeds_run > 1 ? " Thin lines: 95 % interval of the mean over " + seedsName() + "." : "";
    setText("bars-note", "Bars: " + where + "." + whiskers +
        (threshold === null ? "" : " Dashed: the threshold of saturation, " + thresholdText + "."));
    showBarTable(rows, where);
}

function showBarTable(rows, where) {
    const names = ["score_std", "row_max_mean", "jacobian_norm_mean"].filter(holds);
    const cellsOf = (bar) => names.flatMap((name) => [
        valueOf(runOf(state.place, bar.guards, state.seed), name).text, meanOf(bar.setting, name).text
    ]);
    addTable(byId("bars-table"), capital(where) + "; behind it the mean over " + seedsName(),
        ["guards", ...names.flatMap((name) => [labelOf(name), "mean over seeds"])],
        rows.map((bar) => [bar.isCurrent ? bar.name + " (chosen)" : bar.name, ...cellsOf(bar)]));
}

const curves = [
    { name: "input_std", mayBeLog: true }, { name: "score_std", mayBeLog: true },
    { name: "row_max_mean", mayBeLog: false }, { name: "jacobian_norm_mean", mayBeLog: false }
].filter((curve) => holds(curve.name));

/* Values of a measure along the axis of the lesson, for a set of guards and a seed. */
function valuesAlong(name, guards, seed) {
    return data.axes[data.trend].values.map((_, value) =>
        valueOf(runOf(movedTo(state.place, data.trend, value), guards, seed), name).value);
}

function meansAlong(name, guards) {
    return data.axes[data.trend].values.map((_, value) =>
        meanOf(settingOf(movedTo(state.place, data.trend, value), guards), name));
}

/* All numbers that a curve could show at this place, so that its scale stays when guards and seeds change. */
function limitsOf(name) {
    const numbers = guardNumbers.flatMap((guards) => [
        ...data.seeds.flatMap((_, seed) => valuesAlong(name, guards, seed)),
        ...meansAlong(name, guards).map((mean) => mean.value)
    ]).filter((value) => value !== null);
    return name === "row_max_mean" ? [...numbers, 0, 1] : numbers;
}

function addCurves() {
    for (const curve of curves) {
        const figure = addElement(byId("trend"), "div", "", { class: "curve", "data-measure": curve.name });
        addElement(figure, "h3", capital(labelOf(curve.name)));
        addElement(figure, "div", "", { class: "chart" });
    }
}

function showCurve(curve, threshold) {
    const figure = byId("trend").querySelector("[data-measure=" + curve.name + "]");
    const limits = limitsOf(curve.name);
    const chart = figure.querySelector(".chart");
    if (limits.length === 0) {
        chart.replaceChildren();
        addElement(chart, "p", "undefined throughout", { class: "notice" });
        return;
    }
    const axis = data.axes[data.trend];
    const texts = axis.values.map((value, number) => value.phrase + " " +
        valueOf(runOf(movedTo(state.place, data.trend, number), state.guards, state.seed), curve.name).text);
    drawCurve(chart, {
        label: figure.querySelector("h3").textContent + ", guards " + guardsName(state.guards) + ", " + seedName() +
            ": " + texts.join("; "),
        names: axis.values, current: state.place[data.trend], limits, mayBeLog: curve.mayBeLog,
        values: valuesAlong(curve.name, state.guards, state.seed),
        others: guardNumbers.filter((guards) => guards !== state.guards)
            .map((guards) => valuesAlong(curve.name, guards, state.seed)),
        means: meansAlong(curve.name, state.guards),
        threshold: curve.name === "row_max_mean" ? threshold : null
    });
}

function showTrendTable() {
    const rows = data.axes[data.trend].values.map((_, value) => {
        const place = movedTo(state.place, data.trend, value);
        const cells = curves.flatMap((curve) => [
            valueOf(runOf(place, state.guards, state.seed), curve.name).text,
            meanOf(settingOf(place, state.guards), curve.name).text
        ]);
        return [valueName(data.trend, value), ...cells];
    });
    const heads = curves.flatMap((curve) => [labelOf(curve.name), "mean over seeds"]);
    addTable(byId("trend-table"), "Guards " + guardsName(state.guards) + ", " + seedName() +
        "; behind it the mean over " + seedsName(), [data.axes[data.trend].label, ...heads], rows);
}

function showTrend(threshold) {
    byId("trend-section").hidden = data.trend === null;
    if (data.trend === null) {
        return;
    }
    setText("trend-heading", "Guards " + guardsName(state.guards) + ", by " + data.axes[data.trend].label);
    curves.forEach((curve) => showCurve(curve, threshold));
    const means = data.seeds_run > 1 ? " Pale bars: mean over " + seedsName() + " and its 95 % interval." : "";
    setText("trend-note", "Dots: " + seedName() + " with these guards." + means +
        " Grey: the other sets of guards. Dashed: the threshold of saturation. The scales stay as guards change.");
    showTrendTable();
}

/* ---- controls ---- */

function addSelect(label, id, names, choose) {
    const choice = addElement(byId("choices"), "div", "", { class: "choice" });
    addElement(choice, "label", capital(label), { for: id });
    const select = addElement(choice, "select", "", { id });
    names.forEach((name, number) => addElement(select, "option", name, { value: String(number) }));
    select.addEventListener("change", () => {
        choose(Number(select.value));
        show();
    });
}

function seedNote() {
    const one = data.seeds.length === 1;
    const kept = one ? "keeps its weights" : "keep their weights";
    const room = one ? "has room here" : "have room here";
    return plural(data.seeds.length, "seed") + " of " + data.seeds_run + " " +
        (data.seeds.length < data.seeds_kept ? room : kept) + "; means are over all." +
        (one ? "" : " The page opens with one that lies near the means of all settings.");
}

function addChoices() {
    data.axes.forEach((axis, number) => addSelect(axis.label, "axis-" + number,
        axis.values.map((_, value) => valueName(number, value)), (value) => { state.place[number] = value; }));
    addSelect("seed", "seed", data.seeds.map(String), (value) => { state.seed = value; });
    if (data.seeds_run > data.seeds.length) {
        addElement(byId("choices"), "p", seedNote(), { class: "note", id: "seed-note" });
        byId("seed").setAttribute("aria-describedby", "seed-note");
    }
}

function addGuards() {
    data.guards.forEach((guard, bit) => {
        const id = "guard-" + guard.name;
        const row = addElement(byId("guards"), "div", "", { class: "guard" });
        const box = addElement(row, "input", "", {
            type: "checkbox", role: "switch", id, "aria-describedby": id + "-words"
        });
        addElement(row, "label", guard.name, { for: id });
        const fixed = guard.varies ? "" : " The sweep does not switch it.";
        addElement(row, "p", guard.words + fixed, { id: id + "-words", class: "note" });
        box.disabled = !guard.varies;
        box.addEventListener("change", () => {
            state.guards = box.checked ? state.guards | 1 << bit : state.guards & ~(1 << bit);
            show();
        });
    });
}

function goTo(step) {
    takeStep(step);
    show();
}

function addSteps() {
    data.steps.forEach((step, number) => {
        const button = addElement(addElement(byId("step-list"), "li"), "button", String(number + 1), {
            type: "button", "aria-label": "Step " + (number + 1) + ": " + step.title, title: step.title
        });
        button.addEventListener("click", () => goTo(number));
    });
    byId("step-back").addEventListener("click", () => goTo(state.step - 1));
    byId("step-next").addEventListener("click", () => goTo(state.step + 1));
}

function showControls() {
    state.place.forEach((value, axis) => { byId("axis-" + axis).value = String(value); });
    byId("seed").value = String(state.seed);
    data.guards.forEach((guard, bit) => {
        byId("guard-" + guard.name).checked = (state.guards >> bit & 1) === 1;
    });
}

/* ---- the page ---- */

function showCharts() {
    const setting = settingOf(state.place, state.guards);
    const threshold = setting === null ? null : setting.threshold;
    showBars(threshold, setting === null ? "" : setting.threshold_text);
    showTrend(threshold);
}

function show() {
    const setting = settingOf(state.place, state.guards);
    const run = runOf(state.place, state.guards, state.seed);
    showControls();
    showStep();
    showTiles(run, setting);
    showState(run, setting);
    showWeights(run);
    showCharts();
    writeAddress();
}

/* Tables too wide for the page scroll by themselves, by keyboard too. */
function letScroll() {
    for (const [id, name] of [["matrix", "Attention weights"], ["bars-table", "Guards"], ["trend-table", "Axis"]]) {
        byId(id).setAttribute("tabindex", "0");
        byId(id).setAttribute("role", "region");
        byId(id).setAttribute("aria-label", name + ", a table that can scroll");
    }
}

/* Charts are drawn for their width; a height that follows from that must not draw them again. */
function followWidth() {
    let before = byId("bars").clientWidth;
    new ResizeObserver(() => {
        if (byId("bars").clientWidth !== before) {
            before = byId("bars").clientWidth;
            showCharts();
        }
    }).observe(byId("bars"));
}

/* How numbers are written, as in the report. */
function numbersNote() {
    return "Numbers of one seed have three significant digits; a share close to 1 has as many decimals as tell it " +
        "from 1. A mean over seeds has ± half the width of its 95 % interval. Where that would leave 0 to 1, " +
        "brackets hold the ends of the interval instead: [low to high].";
}

function start() {
    byId("title").textContent = data.title;
    byId("main").hidden = false;
    addSteps();
    addChoices();
    addGuards();
    addTiles();
    addNumberSwitch();
    if (data.trend !== null) {
        addCurves();
    }
    letScroll();
    byId("source").textContent = "Made by rowmax " + data.version + " from the sweep " + data.name + " (" + data.sweep +
        "). " + numbersNote();
    takeFirst();
    readAddress();
    show();
    followWidth();
    window.addEventListener("hashchange", () => {
        readAddress();
        show();
    });
}

start();
