/**
 * Whether a version lies in a range as `engines` in package.json writes them here: alternatives between `||`, each
 * `^20.19.5` (that version or a later one of the same line) or `>=24` (that one or any later).
 */
export function isInRange(version, range) {
  return alternatives(range).some(
    ({ operator, minimum }) =>
      isAtLeast(version, minimum) && (operator === '>=' || lineOf(version) === lineOf(minimum)),
  );
}

/** The same range for people: `20 (from 20.19.5) or 24 and later`. */
export function describeRange(range) {
  const parts = alternatives(range).map(({ operator, minimum }) =>
    operator === '>=' ? `${minimum} and later` : `${lineOf(minimum)} (from ${minimum})`,
  );
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' or ');
}

function alternatives(range) {
  return range.split('||').map((text) => {
    const [, operator, minimum] = /^\s*(\^|>=)(\d+(?:\.\d+)*)\s*$/.exec(text) ?? [];
    if (!minimum) throw new Error(`${text} is no range that is understood here`);
    return { operator, minimum };
  });
}

function isAtLeast(version, minimum) {
  const [present, needed] = [version, minimum].map((text) => text.split('.').map(Number));
  const differs = needed.findIndex((number, place) => number !== present[place]);
  return differs === -1 || present[differs] > needed[differs];
}

function lineOf(version) {
  return Number(version.split('.')[0]);
}
