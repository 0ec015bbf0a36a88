import { AccountPath } from '../billing/accounts.js';
import { type Operation, operations } from '../billing/charges.js';
import { toBilling } from '../message.js';
import { Choice, Day, Id, Integer } from '../shape/fields.js';
import { Many } from '../shape/nested-fields.js';
import { Shape } from '../shape/shape.js';
import { operation } from './operation.js';

/** Days of a report, unless other ones are requested. */
export const daysDefault = 30;
/** Most days of a report. */
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

@Shape('The calls of one operation with one key on one day.')
export class UsageRow {
  @Day({ description: 'The day, UTC.' })
  readonly day: string;

  @Id({ description: 'The key.' })
  readonly key_id: string;

  @Choice(operations, { description: 'The operation.' })
  readonly operation: Operation;

  @Integer({ description: 'Calls that were answered.' })
  readonly calls: number;

  @Integer({ description: 'What they cost together.' })
  readonly credits: number;
}

@Shape('Calls and credits of some days.')
export class Usage {
  @Day({ description: 'The first day.' })
  readonly from: string;

  @Day({ description: 'The last day.' })
  readonly to: string;

  @Many(() => UsageRow, { description: 'Days without a call are left out.' })
  readonly usage: readonly UsageRow[];
}

export class UsageRequest extends AccountPath {
  /** First day, `YYYY-MM-DD` UTC, inclusive. */
  @Day()
  readonly from: string;

  /** Last day, `YYYY-MM-DD` UTC, inclusive. */
  @Day()
  readonly to: string;
}

export const getUsage = toBilling<Usage>()('get_usage', UsageRequest);

export const getUsageOperation = operation({
  name: 'getUsage',
  method: 'get',
  path: '/usage',
  tag: 'Account',
  limit: 'account',
  summary: 'What you have spent',
  description: `Answered calls and their credits by day, key and operation. Both days are included, ${daysMax} at most. Calls that failed are not in it: they cost nothing.`,
  query: DaysQuery,
  answer: {
    shape: Usage,
    description: 'The usage of these days.',
    examples: { usage: 'Searches and a profile of one day' },
  },
});
