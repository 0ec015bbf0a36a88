import { randomUUID } from 'node:crypto';
import { type ChargeReply } from '#contracts';
import { metricsText } from '#platform';
import { until } from '#testing';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { marks } from '../histories/commands.fixture.js';
import { type Customer, useAuditedLedger } from '../ledger.fixture.js';
import { type LedgerCommand } from '../rules/ledger-state.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';
import { OptimisticBatches } from './optimistic-batches.js';

const ledger = useAuditedLedger();
const startAt = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
const charged = (used: number, left: number) => ({
  outcome: 'charged',
  credits_used: used,
  credits_remaining: left,
});

beforeEach(() => ledger.factory.setClock(new Date(startAt)));

/** What this process counts while something runs. */
async function countedBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const read = async (): Promise<Map<string, number>> => {
    const { text } = await metricsText();
    const found = text.matchAll(
      /^creator_search_ledger_optimistic_batches_total\{outcome="(\w+)"\} (\d+)$/gm,
    );
    return new Map([...found].map(([, outcome = '', count]) => [outcome, Number(count)]));
  };
  const before = await read();
  await work();
  const after = [...(await read())].map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)]);
  return Object.fromEntries(after.filter(([, count]) => count !== 0)) as Record<string, number>;
}

describe('a batch is decided before its account is locked', () => {
  it('and written as decided, once the lots are known', async () => {
    const customer = await ledger.customer(10);
    const charge = (): Promise<{ id: string }> => customer.charge(ledger.replica(0), 2);
    expect(await countedBy(charge)).toEqual({ decided_again: 1 });
    expect(await countedBy(charge)).toEqual({ as_decided: 1 });
    const { id } = await charge();
    expect(await countedBy(() => customer.settle(ledger.replica(1), id, 'posted'))).toEqual({
      as_decided: 1,
    });
    expect(await countedBy(() => customer.charge(ledger.replica(0), 5))).toEqual({ as_decided: 1 });
  });

  it('or again, when another replica has charged the account meanwhile', async () => {
    const customer = await ledger.customer(10);
    await customer.charge(ledger.replica(0), 1);
    await customer.charge(ledger.replica(1), 1);
    expect(await countedBy(() => customer.charge(ledger.replica(0), 1))).toEqual({ decided_again: 1 });
  });

  it('and written as decided beside a settlement of an account whose lots another replica has seen', async () => {
    const [customer, other] = [await ledger.customer(10), await ledger.customer(10)];
    await customer.charge(ledger.replica(0), 1);
    const { id } = await other.charge(ledger.replica(1), 1);
    const commands: LedgerCommand[] = [
      { kind: 'charge', request: customer.request(1) },
      { kind: 'settle', settlement: other.settlement(id, 'posted') },
    ];
    expect(await countedBy(() => ledger.get(OptimisticBatches).apply(commands))).toEqual({ as_decided: 1 });
    expect(await ledger.balance(customer.accountId)).toBe(8);
  });

  it('or under the lock, when more must be known', async () => {
    const customer = await ledger.customer(10);
    const { id } = await customer.charge(ledger.replica(0), 1);
    expect(await countedBy(() => customer.settle(ledger.replica(0), id, 'voided'))).toEqual({});
    expect(await countedBy(() => customer.charge(ledger.replica(0), 1, id))).toEqual({ left_to_the_lock: 1 });
    expect(await ledger.balance(customer.accountId)).toBe(10);
  });

  it('and so are messages that come twice at once, or name a key of another account', async () => {
    const [customer, stranger] = [await ledger.customer(10), await ledger.customer(10)];
    const twice = customer.request(1);
    const messages = [twice, twice, { ...stranger.request(1), key_id: customer.keyId }];
    const replies = await Promise.all(messages.map((message) => ledger.replica(0).charge(message)));
    expect(replies).toEqual([charged(1, 9), charged(1, 9), { outcome: 'key_revoked' }]);
    expect(await ledger.balance(customer.accountId)).toBe(9);
  });
});

/** A charge of 2 credits by a replica that has seen 20, as another one has. */
interface Race {
  readonly customer: Customer;
  readonly id: string;
}

type Rival = (race: Race) => Promise<unknown>;

const other = () => ledger.replica(1);
const marked = ({ customer, id }: Race) => ({
  ...customer.request(2, id),
  ...marks(customer.keyId, { idempotencyKey: 'order 1', content: 'a search' }),
});

const rivals: [what: string, rival: Rival, reply: ChargeReply | object, left: number][] = [
  [
    'takes the last credits',
    ({ customer }) => customer.charge(other(), 19),
    {
      outcome: 'insufficient_credits',
      credits_needed: 2,
      credits_remaining: 1,
    },
    1,
  ],
  ['takes some credits', ({ customer }) => customer.charge(other(), 2), charged(2, 16), 16],
  ['empties the first lot', ({ customer }) => customer.charge(other(), 10), charged(2, 8), 8],
  [
    'buys credits',
    ({ customer: { accountId } }) => ledger.factory.lot({ accountId, credits: 5 }),
    charged(2, 23),
    23,
  ],
  [
    'suspends the account',
    ({ customer: { accountId: account_id } }) =>
      ledger.get(AccountsService).suspend({ account_id, reason: 'fraud' }),
    { outcome: 'key_revoked' },
    20,
  ],
  [
    'has the lots expire',
    () => ledger.factory.setClock(new Date(startAt + 30 * dayMs)),
    {
      outcome: 'insufficient_credits',
      credits_needed: 2,
      credits_remaining: 0,
    },
    0,
  ],
  [
    'revokes the key',
    ({ customer: { accountId, keyId } }) =>
      ledger.get(ApiKeysService).remove({ account_id: accountId, key_id: keyId }),
    { outcome: 'key_revoked' },
    20,
  ],
  [
    'lets the key expire',
    ({ customer: { accountId, keyId } }) =>
      ledger.ownerTransactions.run([accountId], ({ query, now }) =>
        query('expire key', 'UPDATE api_keys SET expires_at = $2 WHERE id = $1', [keyId, now]),
      ),
    { outcome: 'key_revoked' },
    20,
  ],
  [
    'limits what the key may spend',
    ({ customer: { accountId: account_id, keyId: key_id } }) =>
      ledger.get(ApiKeysService).update({ account_id, key_id, monthly_limit: 2 }),
    {
      outcome: 'insufficient_credits',
      credits_needed: 2,
      credits_remaining: 20,
      key_limit: { limit: 2, spent: 1, resets_at: '2026-02-01T00:00:00.000Z' },
      key_limit_resets_at: '2026-02-01T00:00:00.000Z',
    },
    20,
  ],
  [
    'voids the charge',
    ({ customer, id }) => customer.settle(other(), id, 'voided'),
    { outcome: 'voided' },
    20,
  ],
  ['makes the same charge', ({ customer, id }) => customer.charge(other(), 2, id), charged(2, 18), 18],
  [
    'pays the same call',
    (race) => other().charge({ ...marked(race), charge_id: randomUUID() }),
    { outcome: 'earlier_call_pending' },
    18,
  ],
];

async function race(): Promise<Race> {
  const customer = await ledger.customer(10);
  await ledger.factory.lot({ accountId: customer.accountId, credits: 11 });
  const { id } = await customer.charge(ledger.replica(0), 1);
  await customer.settle(ledger.replica(0), id, 'posted');
  // Refused, so that it changes nothing, but has seen the lots.
  await customer.charge(other(), 1_000);
  return { customer, id: randomUUID() };
}

describe('another replica', () => {
  it.each(rivals)(
    '%s before a charge, which is decided on what is there',
    async (_what, rival, reply, left) => {
      const raced = await race();
      await rival(raced);
      expect(await ledger.replica(0).charge(marked(raced))).toEqual(reply);
      expect(await ledger.balance(raced.customer.accountId)).toBe(left);
    },
  );

  it.each(rivals)('%s while both wait for the account', async (_what, rival, reply, left) => {
    const raced = await race();
    const { accountId } = raced.customer;
    let charge: Promise<ChargeReply> | undefined;
    let first: Promise<unknown> | undefined;
    await ledger.ownerTransactions.run([accountId], async () => {
      let ended = 0;
      first = rival(raced).finally(() => ended++);
      await until(async () => (await ledger.lockWaiters()) + ended === 1);
      charge = ledger.replica(0).charge(marked(raced));
      await until(async () => (await ledger.lockWaiters()) + ended === 2);
    });
    await first;
    expect(await charge).toEqual(reply);
    expect(await ledger.balance(accountId)).toBe(left);
  });

  it('posts or voids a charge first: the outcome is what it was, and one that was not settled in time is not posted', async () => {
    const { customer } = await race();
    const ids = await Promise.all(['posted', 'voided'].map(() => customer.charge(ledger.replica(0), 1)));
    const [posted = '', voided = ''] = ids.map(({ id }) => id);
    await customer.settle(other(), posted, 'posted');
    await customer.settle(other(), voided, 'voided');
    const { id: late } = await customer.charge(ledger.replica(0), 1);
    await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs));
    const post = (id: string) => customer.settle(ledger.replica(0), id, 'posted');
    expect([await post(posted), await post(voided), await post(late)]).toEqual([
      'posted',
      'voided',
      'expired',
    ]);
    expect(await ledger.balance(customer.accountId)).toBe(19);
  });
});
