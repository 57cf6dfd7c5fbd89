/* SPDX-License-Identifier: MIT */
/* The attention weights as a table: a row for each query, a column for each key. */

/* From these weights on, the colour is so deep on a light page, or so bright on a dark one, that text changes sides:
 * the contrast is 4.5 or more throughout. */
const turnsLight = 0.658;
const turnsDark = 0.434;

/* Two decimals; what is above 0 or below 1 and would not show is said to be so. */
function cellText(weight) {
    if (weight === null) {
        return "undefined";
    }
    if (weight > 0 && weight < 0.005) {
        return "<.01";
    }
    return weight >= 0.995 && weight < 1 ? ">.99" : weight.toFixed(2);
}

function tokenName(run, number, ofKey) {
    const words = run.words === undefined ? [] : data.words[run.words];
    const isWord = number < words.length && (ofKey || run.queries === run.tokens);
    return isWord ? words[number] : String(number + 1);
}

function largestIn(row) {
    return row.reduce((best, weight, i) => weight !== null && (best < 0 || weight > row[best]) ? i : best, -1);
}

/* Shows a weight in a cell; undefined as a value is a masked key. */
function fillCell(cell, weight, isLargest) {
    const masked = weight === undefined;
    const shade = masked || weight === null ? 0 : Math.min(Math.max(Math.abs(weight), 0), 1);
    cell.className = (masked ? "masked" : "") + (weight === null ? "unknown" : "") +
        (isLargest ? " largest" : "") + (shade > turnsLight ? " deep" : "") + (shade > turnsDark ? " bright" : "");
    cell.style.setProperty("--weight", String(shade));
    cell.firstChild.textContent = masked ? "masked" : cellText(weight);
    cell.title = masked ? "masked" : weight === null ? "undefined" : String(weight);
}

function addHead(table, run, keys) {
    const head = addElement(addElement(table, "thead"), "tr");
    const corner = addElement(head, "td", "", { class: "corner" });
    addElement(corner, "span", "query ↓ key →", { "aria-hidden": "true" });
    for (let key = 0; key < keys; key++) {
        const name = tokenName(run, key, true);
        const cell = addElement(head, "th", "", { scope: "col", title: name });
        addElement(cell, "span", name);
    }
}

/* A table of empty cells with the names of the tokens. */
function addMatrix(parent, run, keys) {
    parent.replaceChildren();
    const table = addElement(parent, "table", "", { class: "matrix" });
    table.classList.toggle("words", run.words !== undefined);
    table.style.setProperty("--keys", String(keys));
    addElement(table, "caption", "Attention weights: rows are queries, columns are keys", { class: "unseen" });
    addHead(table, run, keys);
    const body = addElement(table, "tbody");
    run.weights.forEach((_, query) => {
        const row = addElement(body, "tr");
        const name = tokenName(run, query, false);
        addElement(addElement(row, "th", "", { scope: "row", title: name }), "span", name);
        for (let key = 0; key < keys; key++) {
            addElement(addElement(row, "td"), "span");
        }
    });
    return table;
}

/* Fills the table there is, so that colours can glide, or makes a new one for other tokens. */
function showMatrix(parent, run) {
    const keys = Math.min(run.tokens, data.shown);
    const shape = [run.words, run.queries, run.tokens].join(" ");
    let table = parent.firstElementChild;
    if (table === null || parent.dataset.shape !== shape) {
        table = addMatrix(parent, run, keys);
        parent.dataset.shape = shape;
    }
    run.weights.forEach((weights, query) => {
        const largest = largestIn(weights);
        const cells = table.tBodies[0].rows[query].cells;
        for (let key = 0; key < keys; key++) {
            fillCell(cells[key + 1], weights[key], key === largest);
        }
    });
}

function showNoMatrix(parent, reason) {
    parent.replaceChildren();
    delete parent.dataset.shape;
    addElement(parent, "p", reason, { class: "notice" });
}
