/**
 * Whether a version lies in a range as `engines` in package.json writes them here: alternatives between `||`, each
 * `^20.19.5` (that version or a later one of the same line) or `>=24` (that one or any later).
 *
 * @param {string} version
 * @param {string} range
 */
export function isInRange(version, range) {
  return alternatives(range).some(
    ({ operator, minimum }) =>
      isAtLeast(version, minimum) && (operator === '>=' || lineOf(version) === lineOf(minimum)),
  );
}

/**
 * The same range for people: `20 (from 20.19.5) or 24 and later`.
 *
 * @param {string} range
 */
export function describeRange(range) {
  const parts = alternatives(range).map(({ operator, minimum }) =>
    operator === '>=' ? `${minimum} and later` : `${lineOf(minimum)} (from ${minimum})`,
  );
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' or ');
}

/** @param {string} range */
function alternatives(range) {
  return range.split('||').map((text) => {
    const [, operator, minimum] = /^\s*(\^|>=)(\d+(?:\.\d+)*)\s*$/.exec(text) ?? [];
    if (!minimum) throw new Error(`${text} is not a supported version range`);
    return { operator, minimum };
  });
}

/**
 * @param {string} version
 * @param {string} minimum
 */
function isAtLeast(version, minimum) {
  const present = version.split('.').map(Number);
  const needed = minimum.split('.').map(Number);
  const differs = needed.findIndex((number, place) => number !== present[place]);
  return differs === -1 || (present[differs] ?? 0) > (needed[differs] ?? 0);
}

/** @param {string} version */
function lineOf(version) {
  return Number(version.split('.')[0]);
}
