import { AccountPath } from '../billing/accounts.js';
import { type LotOrigin, lotOrigins } from '../billing/packs.js';
import { message, NoPayload } from '../message.js';
import { Choice, Integer, Time } from '../shape/fields.js';
import { Many } from '../shape/nested-fields.js';
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

@Shape('What the account can spend.')
export class Balance {
  @Integer({ description: 'The sum of what remains in `lots`.' })
  readonly credits_remaining: number;

  @Many(() => Lot, { description: 'In the order in which they are spent.' })
  readonly lots: readonly Lot[];
}

/** Only reads: may be sent twice. An account that does not exist has nothing. */
export const getBalance = message<AccountPath, Balance>('billing', 'get_balance', AccountPath);

export const getBalanceOperation = operation({
  name: 'getBalance',
  method: 'get',
  path: '/balance',
  tag: 'Account',
  cost: '**Free.**',
  limit: 'account',
  summary: 'Your credits and when they expire',
  description: 'The credits of your account, purchase by purchase. The oldest are spent first.',
  answer: {
    shape: Balance,
    description: 'The balance.',
    examples: { balance: 'A Trial pack, and credits given as goodwill' },
  },
  tool: {
    name: 'get_balance',
    title: 'Get the balance',
    description:
      'Shows the remaining credits and when they expire. Free. Every paid result also includes the balance.',
    arguments: NoPayload,
  },
});
