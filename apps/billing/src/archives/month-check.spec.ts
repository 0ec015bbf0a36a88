import fc from 'fast-check';
import { type LotsByAccount } from './archive-records.js';
import { type ArchivedCharge, type ArchivedEntry } from './archived-entry.js';
import { MonthCheck } from './month-check.js';

const [account, other] = ['a', 'b'].map((digit) => `0198c0de-0000-7000-8000-00000000000${digit}`);
const carried: LotsByAccount = new Map([[account ?? '', new Map([['old', 10]])]]);

function charge(id: string, credits: number, state: ArchivedCharge['state']): ArchivedCharge {
  return { id, credits, state, operation: 'search', requestId: `request ${id}`, keyId: 'key' };
}

type Given = readonly [
  at: string,
  type: ArchivedEntry['type'],
  lotId: string,
  credits: number,
  of?: ArchivedCharge,
];

/** Entries of an account, with the balance that they add up to. */
function entriesOf(accountId: string | undefined, balance: number, given: readonly Given[]): ArchivedEntry[] {
  let sum = balance;
  return given.map(([at, type, lotId, credits, of], number) => {
    sum += credits;
    const common = { accountId: accountId ?? '', id: String(number + 1), at: new Date(`2026-11-${at}Z`) };
    return { ...common, type, lotId, credits, balanceAfter: sum, adjustmentId: null, charge: of ?? null };
  });
}

const posted = charge('posted', 12, 'posted');
const voided = charge('voided', 3, 'voided');
const late = charge('late', 1, 'voided');
const early = charge('early', 4, 'voided');

/** A month of two accounts that breaks no rule; its first reversal is of a charge of the month before, its last charge is returned in the next. */
const month: readonly ArchivedEntry[] = [
  ...entriesOf(account, 10, [
    ['01T00:00:10', 'reversal', 'old', 4, early],
    ['02T00:00:00', 'purchase', 'new', 5],
    ['03T00:00:00', 'charge', 'old', -12, posted],
    ['04T00:00:00', 'charge', 'old', -2, voided],
    ['04T00:00:00', 'charge', 'new', -1, voided],
    ['04T00:00:30', 'reversal', 'old', 2, voided],
    ['04T00:00:30', 'reversal', 'new', 1, voided],
    ['05T00:00:00', 'expiry', 'old', -2],
    ['30T23:59:59', 'charge', 'new', -1, late],
  ]),
  ...entriesOf(other, 0, [
    ['02T00:00:00', 'purchase', 'theirs', 3],
    ['09T00:00:00', 'adjustment', 'theirs', -3],
  ]),
];

function check(entries: readonly ArchivedEntry[]) {
  const checked = new MonthCheck('2026-11', carried);
  for (const entry of entries) checked.add(entry);
  return {
    carried: checked.end(),
    problems: checked.problems.map(({ problem }) => problem),
    entries: checked.entries,
  };
}

it('a month that breaks no rule leaves what its lots have, without empty ones', () => {
  const lots = new Map([['new', 4]]);
  expect(check(month)).toEqual({ problems: [], entries: 11, carried: new Map([[account, lots]]) });
});

it('a month without entries leaves what was there before', () => {
  expect(check([])).toEqual({ problems: [], entries: 0, carried });
});

/** Edits of one entry that break a rule by themselves. */
const edits: readonly [string, (entry: ArchivedEntry) => ArchivedEntry][] = [
  ['other credits', (entry) => ({ ...entry, credits: entry.credits - 1 })],
  ['another balance', (entry) => ({ ...entry, balanceAfter: entry.balanceAfter + 1 })],
  ['another month', (entry) => ({ ...entry, at: new Date('2026-12-01T00:00:00Z') })],
  ['the month before', (entry) => ({ ...entry, at: new Date('2026-10-31T23:59:59.999Z') })],
  ['the id of the one before', (entry) => ({ ...entry, id: '0' })],
];

it('any entry that is edited, left out or doubled is a problem', () => {
  const place = fc.nat(month.length - 1);
  const edited = fc.oneof(
    fc.tuple(place, fc.constantFrom(...edits)).map(([at, [name, edit]]) => {
      // The first of an account may have any id.
      const isFree =
        name.startsWith('the id') && (at === 0 || month[at]?.accountId !== month[at - 1]?.accountId);
      return isFree ? null : month.map((entry, number) => (number === at ? edit(entry) : entry));
    }),
    place.map((at) => month.filter((_, number) => number !== at)),
    place.map((at) => month.flatMap((entry, number) => (number === at ? [entry, entry] : [entry]))),
  );
  fc.assert(
    fc.property(edited, (entries) => {
      // The last entry of an account can be left out: its file and its lots differ then from what is on record.
      const isLast =
        entries?.length === month.length - 1 &&
        (!entries.includes(month[8]!) || !entries.includes(month[10]!));
      if (entries !== null && !isLast) expect(check(entries).problems).not.toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it.each<[string, ArchivedCharge, string]>([
  ['was posted for less', { ...posted, credits: 11 }, 'charge posted of 11 is posted: 12 taken, 0 returned'],
  [
    'was voided, but not returned',
    { ...posted, state: 'voided' },
    'charge posted is voided, but not returned',
  ],
  [
    'is still pending',
    { ...posted, state: 'pending' },
    'charge posted of 12 is pending: 12 taken, 0 returned',
  ],
  ['was refused', { ...posted, state: 'refused' }, 'charge posted of 12 is refused: 12 taken, 0 returned'],
])('a charge that %s is a problem', (_what, changed, problem) => {
  const entries = month.map((entry) => (entry.charge === posted ? { ...entry, charge: changed } : entry));
  expect(check(entries).problems).toEqual([problem]);
});

it('a lot below 0 is a problem, whatever its balance says', () => {
  const entries = entriesOf(other, 0, [
    ['02T00:00:00', 'purchase', 'one', 3],
    ['03T00:00:00', 'expiry', 'two', -1],
  ]);
  expect(check(entries).problems).toEqual(['entry 2 leaves lot two with -1 credits']);
});
