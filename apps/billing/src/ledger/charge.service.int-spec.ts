import { openLedger, type LedgerFixture } from './ledger.fixture-spec.js';

let ledger: LedgerFixture;

beforeAll(async () => {
  ledger = await openLedger();
});

afterAll(() => ledger.close());

describe('a charge', () => {
  it('takes the credits and reports the balance after it', async () => {
    const customer = await ledger.customer(10);
    const { reply } = await customer.charge(ledger.replicas[0], 3);
    expect(reply).toEqual({ outcome: 'charged', credits_used: 3, credits_remaining: 7 });
    expect(await ledger.balance(customer.accountId)).toBe(7);
  });
});
