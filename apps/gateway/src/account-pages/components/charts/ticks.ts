const ticksMax = 4;
const niceSteps = [1, 2, 5];

/** A few round values from 0 up to the first at or above `max`, for an axis of whole numbers. */
export function ticksUpTo(max: number): number[] {
  const least = Math.max(1, max / ticksMax);
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const step = niceSteps.map((nice) => nice * magnitude).find((nice) => nice >= least) ?? 10 * magnitude;
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
