/**
 * Whether a version lies in a range as `engines` in package.json writes them here: alternatives between `||`, each
 * `^20.19.5` (that version or a later one of the same line) or `>=24` (that one or any later).
 *
 * @param {string} version
 * @param {string} range
 */
export function isInRange(version, range) {
  const present = version.split('.').map(Number);
  return range.split('||').some((text) => {
    const [, operator, minimum = ''] = /^\s*(\^|>=)([\d.]+)\s*$/.exec(text) ?? [];
    const needed = minimum.split('.').map(Number);
    const differs = needed.findIndex((number, place) => number !== present[place]);
    const isLater = differs === -1 || (present[differs] ?? 0) > (needed[differs] ?? 0);
    return isLater && (operator === '>=' || present[0] === needed[0]);
  });
}
