import { AccountPath } from '../billing/accounts.js';
import { KeyLimit } from '../billing/keys.js';
import { type LotOrigin, lotOrigins } from '../billing/packs.js';
import { NoPayload, toBilling } from '../message.js';
import { Choice, Id, Integer, Time } from '../shape/fields.js';
import { Many, One } from '../shape/nested-fields.js';
import { Shape } from '../shape/shape.js';
import { operation } from './operation.js';

@Shape('The credits of one purchase, with their own expiry.')
export class Lot {
  @Choice(lotOrigins, {
    description: 'The pack that was bought; `adjustment` for credits given as goodwill.',
  })
  readonly pack: LotOrigin;

  @Integer({ description: 'Credits that were bought or given.' })
  readonly credits: number;

  @Integer({ description: 'Credits that can still be spent.' })
  readonly remaining: number;

  @Time({ description: 'When it was bought.' })
  readonly purchased_at: string;

  @Time({ description: 'When the remaining credits expire.' })
  readonly expires_at: string;
}

@Shape('The credits of the account.')
export class Balance {
  @Integer({ description: 'The sum of what remains in `lots`.' })
  readonly credits_remaining: number;

  @Many(() => Lot, { description: 'In the order in which they are spent.' })
  readonly lots: readonly Lot[];

  @One(() => KeyLimit, {
    optional: true,
    description: 'The monthly limit of the API key of this call; absent when it has none.',
  })
  readonly key_limit?: KeyLimit;
}

export class BalanceRequest extends AccountPath {
  /** The key whose monthly limit is shown. */
  @Id({ optional: true })
  readonly key_id?: string;
}

/** Only reads: may be sent twice. An account that does not exist has nothing. */
export const getBalance = toBilling<Balance>()('get_balance', BalanceRequest);

export const getBalanceOperation = operation({
  name: 'getBalance',
  method: 'get',
  path: '/balance',
  tag: 'Account',
  limit: 'account',
  summary: 'Your credits and when they expire',
  description:
    'The credits of your account, purchase by purchase. The oldest are spent first. If the API key has a monthly limit, `key_limit` shows it.',
  answer: {
    shape: Balance,
    description: 'The balance.',
    examples: { balance: 'A Trial pack, and credits given as goodwill' },
  },
  tool: {
    name: 'get_balance',
    title: 'Get the balance',
    description:
      'Shows the remaining credits and when they expire, and the monthly limit of the API key if it has one. Free. Every paid result also includes the balance.',
    arguments: NoPayload,
  },
});
