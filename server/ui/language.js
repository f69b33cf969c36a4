// What people write into the boxes, as the server takes it.

const kCondition =
    /^\s*([^\s=!<>]+)\s*(!=|>=|<=|=|>|<)\s*("(?:[^"\\]|\\.)*"|\S+)\s*(?:and\s+(?=\S)|$)/i;

function valueOf(text) {
  if (text.startsWith('"')) return JSON.parse(text);
  if (text === "true") return true;
  if (text === "false") return false;
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function rangeOf(operator, value) {
  const names = {">": "gt", ">=": "gte", "<": "lt", "<=": "lte"};
  return {[names[operator]]: value};
}

function conditionOf(key, operator, value) {
  if (operator !== "=" && operator !== "!=") {
    if (typeof value !== "number") {
      throw new Error(`${key} ${operator} takes a number`);
    }
    return {key, range: rangeOf(operator, value)};
  }
  // Numbers with a fraction match within a range only.
  if (typeof value === "number" && !Number.isInteger(value)) {
    return {key, range: {gte: value, lte: value}};
  }
  return {key, match: {value}};
}

// "a = b and c > 3", or a filter as JSON. Nothing for an empty text.
export function parseFilter(text) {
  text = text.trim();
  if (text === "") return undefined;
  if (text.startsWith("{")) return JSON.parse(text);
  const filter = {};
  while (text !== "") {
    const found = kCondition.exec(text);
    if (!found) throw new Error(`cannot read the filter at: ${text.slice(0, 40)}`);
    const list = found[2] === "!=" ? "must_not" : "must";
    (filter[list] ??= []).push(conditionOf(found[1], found[2], valueOf(found[3])));
    text = text.slice(found[0].length);
  }
  return filter;
}

const kUuid = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

// {id} or {vector}; nothing for an empty text.
export function parseQuery(text) {
  text = text.trim();
  if (text === "") return undefined;
  if (/^\d+$/.test(text) || kUuid.test(text)) return {id: text};
  const words = text.replace(/[[\](){}]/g, " ").split(/[\s,;]+/).filter(Boolean);
  const vector = words.map(Number);
  const bad = vector.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new Error(`neither an id nor a number: ${words[bad].slice(0, 40)}`);
  return {vector};
}
