import { type BalanceReply, lotOrigins, type UnexpiredLot } from '@app/contracts';
import { type DescribedOperation } from '../../openapi/operation.js';
import { count, listOf, objectSchema, oneOf, schemaNamed, time } from '../../openapi/schemas.js';

export const getBalanceOperation: DescribedOperation = {
  method: 'get',
  path: '/balance',
  operationId: 'getBalance',
  tag: 'Account',
  summary: 'What you can spend, and until when',
  cost: '**Free.**',
  description: 'The credits of your account, purchase by purchase. The oldest are spent first.',
  rateLimit: 'account',
  answer: {
    description: 'The balance.',
    schema: 'Balance',
    examples: { balance: 'A Trial pack, and credits given as goodwill' },
  },
  schemas: {
    Balance: objectSchema<BalanceReply>('What the account can spend.', {
      credits_remaining: count('The sum of what remains in `lots`.'),
      lots: listOf(schemaNamed('Lot'), 'In the order in which they are spent.'),
    }),
    Lot: objectSchema<UnexpiredLot>('The credits of one purchase, with their own expiry.', {
      pack: oneOf(lotOrigins, 'The pack that was bought; `adjustment` for credits given as goodwill.'),
      credits: count('Credits in the lot at first.'),
      remaining: count('Credits that are left.'),
      purchased_at: time('When it was bought.'),
      expires_at: time('From then on, what is left cannot be spent.'),
    }),
  },
};
