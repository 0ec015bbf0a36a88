import { Day } from '../shape/fields.js';

/** Of a report, unless it is asked for other days. */
export const daysDefault = 30;
/** The most that a report covers. */
export const daysMax = 366;

/** Days of a report, both inclusive, UTC. */
export class DaysQuery {
  @Day({
    optional: true,
    description: `The first day, UTC. Default: ${daysDefault} days up to \`to\`; at most ${daysMax} days.`,
  })
  readonly from?: string;

  @Day({ optional: true, description: 'The last day, UTC. Default: today.' })
  readonly to?: string;
}
