import { setImmediate } from 'node:timers/promises';
import { type Settlement } from '#contracts';
import { createLogger, type Logger } from '#platform';
import { Settler } from './settler.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const flushMs = 10_000;

function settlement(number: number): Settlement {
  return { charge_id: `charge-${number}`, account_id: 'account-1', outcome: 'posted' };
}

async function settleAndFlush(settler: Settler, number: number): Promise<void> {
  settler.settle(settlement(number));
  await settler.flush(flushMs);
}

/** Calls back so many steps of the queue of promises later. */
async function later(steps: number, callback: () => void): Promise<void> {
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
  callback();
}

/** A settler before a billing that fails so many times; `sent` is the charges of each message. */
function settlerBefore(
  failures: number,
  onFirst?: () => void,
  log: Pick<Logger, 'warn' | 'error'> = logger,
  answer?: unknown,
): { settler: Settler; sent: string[][] } {
  const sent: string[][] = [];
  const request = async <Reply>(_contract: unknown, payload: unknown): Promise<Reply> => {
    const { settlements } = payload as { settlements: Settlement[] };
    sent.push(settlements.map(({ charge_id }) => charge_id));
    if (sent.length === 1) onFirst?.();
    if (sent.length <= failures) throw new Error('billing is away');
    await Promise.resolve();
    if (answer !== undefined) return answer as Reply;
    return {
      results: settlements.map(({ charge_id, outcome }) => ({ charge_id, result: outcome })),
    } as Reply;
  };
  return { settler: new Settler({ request }, log), sent };
}

it('settlements are sent together with settlements that come shortly after', async () => {
  const { settler, sent } = settlerBefore(0);
  settler.settle(settlement(1));
  await setImmediate();
  await settleAndFlush(settler, 2);
  expect(sent).toEqual([['charge-1', 'charge-2']]);
});

it('settlements are sent again until billing acknowledges, together with what has come meanwhile', async () => {
  const { settler, sent } = settlerBefore(2, () => settler.settle(settlement(2)));
  await settleAndFlush(settler, 1);
  expect(sent).toEqual([['charge-1'], ['charge-1', 'charge-2'], ['charge-1', 'charge-2']]);
});

// Whatever the number of steps that the loop takes to end, one of these is between each two of them.
it.each(Array.from({ length: 12 }, (_, steps) => steps))(
  'a settlement that comes at the very end does not wait for the next one, %i steps after the acknowledgement',
  async (steps) => {
    const { settler, sent } = settlerBefore(0, () => void later(steps, () => settler.settle(settlement(2))));
    await settleAndFlush(settler, 1);
    await later(2 * steps, () => undefined);
    await settler.flush(flushMs);
    expect(sent.flat().sort()).toEqual(['charge-1', 'charge-2']);
  },
);

it.each([
  ['no results', {}],
  ['no list of results', { results: 5 }],
  ['invalid results', { results: [null] }],
  ['an outcome to be logged', { results: [{ charge_id: '1', result: 'expired' }] }],
])('sending goes on after a reply with %s, when logging fails too', async (_what, reply) => {
  const broken = (): never => {
    throw new Error('the log is broken');
  };
  const { settler, sent } = settlerBefore(1, undefined, { warn: broken, error: broken }, reply);
  await settleAndFlush(settler, 1);
  await settleAndFlush(settler, 2);
  expect(sent).toEqual([['charge-1'], ['charge-1'], ['charge-2']]);
});

it('flush gives up in time, and says how many are left', async () => {
  const warn = jest.fn();
  const { settler } = settlerBefore(1, undefined, { warn, error: warn });
  settler.settle(settlement(1));
  settler.settle(settlement(2));
  await settler.flush(0);
  expect(warn).toHaveBeenLastCalledWith({ settlements: 2 }, 'left to the time-out');
  // No timer outlives the test.
  await settler.flush(flushMs);
});
