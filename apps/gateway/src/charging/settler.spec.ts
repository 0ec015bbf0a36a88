import { setImmediate } from 'node:timers/promises';
import { type Settlement } from '@app/contracts';
import { createLogger } from '@app/platform';
import { Settler } from './settler.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const flushMs = 10_000;

function settlement(number: number): Settlement {
  return { charge_id: `charge-${number}`, account_id: 'account-1', outcome: 'posted' };
}

/** A settler before a billing that fails so many times; `sent` is the charges of each message. */
function settlerBefore(failures: number, onFirst?: () => void): { settler: Settler; sent: string[][] } {
  const sent: string[][] = [];
  const request = async <Reply>(_contract: unknown, payload: unknown): Promise<Reply> => {
    const { settlements } = payload as { settlements: Settlement[] };
    sent.push(settlements.map(({ charge_id }) => charge_id));
    if (sent.length === 1) onFirst?.();
    if (sent.length <= failures) throw new Error('billing is away');
    await Promise.resolve();
    return {
      results: settlements.map(({ charge_id, outcome }) => ({ charge_id, result: outcome })),
    } as Reply;
  };
  return { settler: new Settler({ request }, logger), sent };
}

describe('settlements', () => {
  it('are sent once when billing acknowledges', async () => {
    const { settler, sent } = settlerBefore(0);
    settler.settle(settlement(1));
    await settler.flush(flushMs);
    settler.settle(settlement(2));
    await settler.flush(flushMs);
    expect(sent).toEqual([['charge-1'], ['charge-2']]);
  });

  it('are sent together with those that come shortly after', async () => {
    const { settler, sent } = settlerBefore(0);
    settler.settle(settlement(1));
    await setImmediate();
    settler.settle(settlement(2));
    await settler.flush(flushMs);
    expect(sent).toEqual([['charge-1', 'charge-2']]);
  });

  it('are sent again until billing acknowledges, together with what has come meanwhile', async () => {
    const { settler, sent } = settlerBefore(2, () => settler.settle(settlement(2)));
    settler.settle(settlement(1));
    await settler.flush(flushMs);
    expect(sent).toEqual([['charge-1'], ['charge-1', 'charge-2'], ['charge-1', 'charge-2']]);
  });
});
