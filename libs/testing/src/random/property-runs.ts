/** How often a property is tried: `short` times, or `PROPERTY_SCALE` times as often, as `npm run test:long` does. */
export function propertyRuns(short: number): number {
  return short * Number(process.env.PROPERTY_SCALE ?? 1);
}
