/**
 * The first position from `low` to below `high` whose value is not below `value`, or `high`; `values` ascend. A binary
 * search.
 */
export function lowerBound(
  values: Uint16Array | Uint32Array | Float64Array,
  value: number,
  low = 0,
  high = values.length,
): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((values[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
