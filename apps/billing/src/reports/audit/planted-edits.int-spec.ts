import { TransactionRunner } from '@app/platform/database';
import { randomUUID } from 'node:crypto';
import { type AdjustmentRequest, type AuditReply, type ChargeState, type EntryType } from '@app/contracts';
import { ledgerRuns, numbersFrom } from '@app/testing';
import { AdjustmentsService } from '../../credits/adjustments.service.js';
import { AgreementsService } from '../../credits/agreements.service.js';
import { type Customer, openLedger, type LedgerFixture } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { PurchasesService } from '../../credits/purchases.service.js';
import { ExpiredLotsStep } from '../../ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from '../../ledger/charges/overdue-charges.step.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { AuditService } from './audit.service.js';
import { type Change, replaceRows, rowsOf } from './planted-rows.fixture.js';

interface Entry {
  readonly id: number;
  readonly account_id: string;
  readonly lot_id: string;
  readonly type: EntryType;
  readonly credits: number;
  readonly charge_id: string | null;
  readonly adjustment_id: string | null;
}

interface Lot {
  readonly id: string;
  readonly account_id: string;
  readonly credits: number;
  readonly remaining: number;
}

interface Charge {
  readonly id: string;
  readonly account_id: string;
  readonly credits: number;
  readonly state: ChargeState;
}

/** Everything that the audit reads and an edit may change; the rows have all their columns. */
interface Books {
  readonly ledger_entries: readonly Entry[];
  readonly lots: readonly Lot[];
  readonly charges: readonly Charge[];
}

interface Edit {
  readonly changes: readonly Change[];
  readonly accountId: string;
  /** Ids that the audit has to name. */
  readonly culprits: readonly (string | null)[];
  /** Others that it may name beside them. */
  readonly alsoTouched?: readonly string[];
}

const days = 60;
const customers = 20;
const callsPerDay = 60;
const hourMs = 3_600_000;
const { runs, seed } = ledgerRuns(50);

const random = numbersFrom(seed);

function pick<Item>(items: readonly Item[]): Item {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

let ledger: LedgerFixture;

beforeAll(async () => {
  ledger = await openLedger();
});

afterAll(() => ledger.close());

function audit(): Promise<AuditReply> {
  return ledger.get(AuditService).audit();
}

/** One day of business: calls just before noon, at noon whatever became of them; lots expire at noon as well. */
async function doBusiness(noon: number, everybody: readonly Customer[]): Promise<void> {
  const [service] = ledger.replicas;
  await ledger.factory.setClock(new Date(noon - 10_000));
  const calls = Array.from({ length: callsPerDay }, () => ({ customer: pick(everybody), id: randomUUID() }));
  await Promise.all(calls.map(({ customer, id }) => customer.charge(service, random(9), id)));
  await ledger.factory.setClock(new Date(noon));
  const settled = calls.map(({ customer, id }) => ({ customer, id, outcome: random(100) }));
  await Promise.all(
    settled
      .filter(({ outcome }) => outcome < 80)
      .map(({ customer, id, outcome }) => customer.settle(service, id, outcome < 55 ? 'posted' : 'voided')),
  );
  for (const { accountId: account_id } of everybody) {
    const request = { account_id, reference: `${account_id} ${noon}` };
    const pack = pick(['trial', 'trial', 'builder'] as const);
    const adjustment = { ...request, credits: pick([-3, -1, 2, 5]), reason: 'test' };
    const chance = random(100);
    if (chance < 8) await ledger.get(PurchasesService).purchase({ ...request, pack });
    else if (chance < 16) await adjustIfPossible(adjustment);
  }
}

/** A correction of more than the balance is refused. */
async function adjustIfPossible(request: AdjustmentRequest): Promise<void> {
  await ledger
    .get(AdjustmentsService)
    .adjust(request)
    .catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'conflict' });
    });
}

/** Two months of business by the ledger's own commands, and the books after it. */
async function keepBooks(): Promise<Books> {
  const firstNoon = Date.UTC(2026, 0, 1, 12);
  await ledger.factory.setClock(new Date(firstNoon - hourMs));
  const everybody: Customer[] = [];
  for (let number = 0; number < customers; number++) everybody.push(await ledger.customer(50));
  const agreements = ledger.get(AgreementsService);
  for (const { accountId: account_id } of everybody.slice(0, 3)) {
    await agreements.start({ account_id, credits: 10_000, price_cents: 180_000 });
  }
  const sweep = new SweepService(ledger.get(TransactionRunner), defaultLedgerOptions, [
    ledger.get(OverdueChargesStep),
    ledger.get(ExpiredLotsStep),
  ]);
  for (let day = 0; day < days; day++) {
    await doBusiness(firstNoon + day * 24 * hourMs, everybody);
    if (day % 2 === 0) await sweep.sweep();
  }
  // Nothing is overdue at the end, as nothing is where the sweep runs.
  await sweep.sweep();
  return {
    ledger_entries: await rowsOf<Entry>(ledger, 'ledger_entries'),
    lots: await rowsOf<Lot>(ledger, 'lots'),
    charges: await rowsOf<Charge>(ledger, 'charges'),
  };
}

/** The schema refuses nearly all of these edits; an attacker who can make them can switch that off. */
async function dropGuards(): Promise<void> {
  await ledger.query('DROP INDEX ledger_entries_once_per_charge, ledger_entries_one_purchase');
  await ledger.query('DROP INDEX ledger_entries_once_per_adjustment');
  await ledger.query('ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_sign');
  await ledger.query('ALTER TABLE lots DROP CONSTRAINT lots_remaining_range');
  await ledger.query('ALTER TABLE charges DROP CONSTRAINT charges_credits_not_negative');
}

const byOne = (): number => pick([-1, 1]);

function editOf(entry: Entry, after: readonly Entry[]): Edit {
  return {
    changes: [{ table: 'ledger_entries', before: [entry], after }],
    accountId: entry.account_id,
    culprits: [entry.lot_id, entry.charge_id, entry.adjustment_id],
  };
}

function editOfLot(lot: Lot, change: Partial<Lot>): Edit {
  const changes = [{ table: 'lots', before: [lot], after: [{ ...lot, ...change }] }];
  return { changes, accountId: lot.account_id, culprits: [lot.id] };
}

function editOfCharge(charge: Charge, change: object): Edit {
  const changes = [{ table: 'charges', before: [charge], after: [{ ...charge, ...change }] }];
  return { changes, accountId: charge.account_id, culprits: [charge.id] };
}

function stateOf(state: ChargeState): object {
  return {
    state,
    refusal: state === 'refused' ? 'key_revoked' : null,
    void_reason: state === 'voided' ? 'given_up' : null,
    settled_at: state === 'pending' ? null : new Date(Date.UTC(2026, 1, 1)).toISOString(),
  };
}

/** States that contradict what a charge of 1 credit or more has taken and given back. */
const wrongStates: Record<ChargeState, readonly ChargeState[]> = {
  pending: ['voided', 'refused'],
  posted: ['voided', 'refused'],
  voided: ['pending', 'posted', 'refused'],
  refused: ['pending', 'posted', 'voided'],
};

/** Each type of entry as often as every other, those that a charge let expire too, however rare they are. */
function pickEntry(entries: readonly Entry[]): Entry {
  const typeOf = ({ type, charge_id }: Entry): string => `${type} ${charge_id === null}`;
  const type = pick([...new Set(entries.map(typeOf))]);
  return pick(entries.filter((entry) => typeOf(entry) === type));
}

/** The smallest falsifications. */
const kinds: Record<string, (books: Books) => Edit> = {
  'an entry of one credit more or less': ({ ledger_entries }) => {
    const entry = pickEntry(ledger_entries);
    return editOf(entry, [{ ...entry, credits: entry.credits + byOne() }]);
  },
  'the same, with the lot made to fit': ({ ledger_entries, lots }) => {
    const entry = pickEntry(
      ledger_entries.filter(({ type, charge_id }) => type !== 'expiry' || charge_id !== null),
    );
    const lot = pick(lots.filter(({ id }) => id === entry.lot_id));
    const credits = byOne();
    const hidden = editOf(entry, [{ ...entry, credits: entry.credits + credits }]);
    const fitted = editOfLot(lot, { remaining: lot.remaining + credits });
    const isOpening = entry.type === 'purchase';
    return {
      ...hidden,
      changes: [...hidden.changes, ...fitted.changes],
      culprits: [entry.charge_id, entry.adjustment_id, isOpening ? lot.id : null],
      alsoTouched: [lot.id],
    };
  },
  'a deleted entry': ({ ledger_entries }) => editOf(pickEntry(ledger_entries), []),
  'a doubled entry': ({ ledger_entries }) => {
    const entry = pickEntry(ledger_entries);
    return editOf(entry, [entry, { ...entry, id: ledger_entries.length * 1_000 }]);
  },
  'an entry of another lot': ({ ledger_entries, lots }) => {
    const others = (entry: Entry): Lot[] =>
      lots.filter(({ id, account_id }) => account_id === entry.account_id && id !== entry.lot_id);
    const entry = pickEntry(ledger_entries.filter((candidate) => others(candidate).length > 0));
    const { id: lot_id } = pick(others(entry));
    const edit = editOf(entry, [{ ...entry, lot_id }]);
    const ofCharge = entry.type === 'charge' ? [] : [entry.charge_id];
    return {
      ...edit,
      culprits: [entry.lot_id, lot_id, ...ofCharge],
      alsoTouched: entry.charge_id === null ? [] : [entry.charge_id],
    };
  },
  'a lot that holds one credit more or less': ({ lots }) => {
    const lot = pick(lots);
    return editOfLot(lot, { remaining: lot.remaining + byOne() });
  },
  'a lot of one credit more or less': ({ lots }) => {
    const lot = pick(lots);
    return editOfLot(lot, { credits: lot.credits + byOne() });
  },
  'a charge of one credit more or less': ({ charges }) => {
    const charge = pick(charges.filter(({ state }) => state !== 'refused'));
    return editOfCharge(charge, { credits: charge.credits + byOne() });
  },
  'a charge of another state': ({ charges }) => {
    const charge = pick(charges.filter(({ credits }) => credits > 0));
    return editOfCharge(charge, stateOf(pick(wrongStates[charge.state])));
  },
};

/** What is wrong with the audit's answer to an edit; nothing when it names the culprits and names nothing else. */
function objections({ ok, discrepancies }: AuditReply, edit: Edit): string[] {
  const culprits = edit.culprits.filter((id) => id !== null);
  const touched = new Set<string | null>([null, ...culprits, ...(edit.alsoTouched ?? [])]);
  const named = JSON.stringify(discrepancies);
  return [
    ...(ok ? ['it is not found'] : []),
    ...culprits.filter((id) => !named.includes(id)).map((id) => `${id} is not named`),
    ...discrepancies
      .filter(({ account_id, lot_id, charge_id }) => {
        return account_id !== edit.accountId || !touched.has(lot_id) || !touched.has(charge_id);
      })
      .map((discrepancy) => `an unchanged row is named: ${JSON.stringify(discrepancy)}`),
  ];
}

it('finds every change of the ledger by one credit, and names the lot, the charge and the account', async () => {
  const books = await keepBooks();
  await dropGuards();
  const sound = await audit();
  expect(sound).toMatchObject({ ok: true, discrepancies: [], entries: books.ledger_entries.length });

  const missed: object[] = [];
  const planters = Object.entries(kinds);
  for (let number = 0; number < runs; number++) {
    const [kind, plant] = planters[number % planters.length] ?? pick(planters);
    const edit = plant(books);
    await replaceRows(ledger, edit.changes, 'before');
    const wrong = objections(await audit(), edit);
    await replaceRows(ledger, edit.changes, 'after');
    if (wrong.length > 0) missed.push({ kind, wrong, ...edit });
  }
  process.stdout.write(
    `audit: ${runs - missed.length} of ${runs} planted edits found among ${sound.entries} entries, ` +
      `${sound.lots} lots and ${books.charges.length} charges; LEDGER_SEED=${seed}\n`,
  );
  expect(missed).toEqual([]);
  expect(await audit()).toEqual(sound);
}, 3_600_000);
