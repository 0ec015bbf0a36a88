import { type AuditReply, type Discrepancy } from '#contracts';
import { ledgerRuns, numbersFrom } from '#testing';
import { Logger } from '@nestjs/common';
import { openShop, type Shop } from '../../orders/shop.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { dropGuards, EditedBooks } from './edited-books.fixture.js';
import { LedgerAudit } from './ledger-audit.js';
import { keepBooks, pickFrom } from './books.fixture.js';
import { type PlantedEdit, plantedEdits as ofCredits } from './planted-edits.fixture.js';

const plantedEdits: readonly PlantedEdit[] = [
  ...ofCredits,
  {
    name: 'a key that has spent one credit more or less of its limit',
    rows: `SELECT id, account_id, by FROM api_keys, (VALUES (1), (-1)) AS change (by)
      WHERE monthly_limit IS NOT NULL AND spent > 0`,
    sql: 'UPDATE api_keys SET spent = spent + :by WHERE id = :id',
    finding: 'key_spending_differs',
  },
];

interface EditedRow {
  readonly id: string;
  readonly account_id: string;
  readonly lot_id?: string;
  readonly stratum?: string;
  readonly named?: readonly string[];
  readonly touched?: readonly string[];
  readonly [column: string]: unknown;
}

/** The edits of each kind, of random rows. */
const { runs, seed } = ledgerRuns(1);
const random = numbersFrom(seed);

let open: Awaited<ReturnType<typeof openShop>>;
let shop: Shop;
let planted = 0;

beforeAll(async () => {
  Logger.overrideLogger(false);
  open = await openShop();
  ({ shop } = open);
  await keepBooks(shop, random);
  await dropGuards(shop.ledger);
}, 120_000);

afterAll(async () => {
  process.stdout.write(`audit: ${planted} edits of ${plantedEdits.length} kinds; LEDGER_SEED=${seed}\n`);
  await open.close();
});

async function auditAfter({ sql }: PlantedEdit, row: EditedRow): Promise<AuditReply> {
  const quoted = (value: unknown): string => `'${String(value).replaceAll(`'`, `''`)}'`;
  const made = sql.replaceAll(/(?<!:):(\w+)/g, (_, column: string) => quoted(row[column]));
  const books = new EditedBooks(shop.ledger, made);
  const audit = new LedgerAudit(shop.ledger.get(AuditRepository), books, defaultLedgerOptions);
  const { reply } = await audit.run({ before: null, signal: new AbortController().signal });
  return reply;
}

/** What is wrong with the audit's answer; nothing when it is what the edit has to lead to. */
function objections({ finding }: PlantedEdit, row: EditedRow, { discrepancies }: AuditReply): string[] {
  if (typeof finding === 'object') {
    const found = discrepancies.map((discrepancy) => described(discrepancy, row));
    return JSON.stringify(found.sort()) === JSON.stringify([...finding].sort()) ? [] : found;
  }
  if (finding !== 'names its rows only') {
    const named = discrepancies.find(({ kind, expected }) => kind === finding && expected.includes(row.id));
    return named?.account_id === row.account_id ? [] : [`${finding} does not name the order or its account`];
  }
  const { named = [], touched = [] } = row;
  const may = new Set<string | null>([null, ...named, ...touched]);
  const answer = JSON.stringify(discrepancies);
  return [
    ...(discrepancies.length === 0 ? ['it is not found'] : []),
    ...named.filter((id) => !answer.includes(id)).map((id) => `${id} is not named`),
    ...discrepancies
      .filter(({ account_id, lot_id, charge_id }) => {
        return account_id !== row.account_id || !may.has(lot_id) || !may.has(charge_id);
      })
      .map((discrepancy) => `an unchanged row is named: ${JSON.stringify(discrepancy)}`),
  ];
}

/** The kind of a discrepancy, and whether it names the lot and the charge. */
function described({ kind, lot_id, charge_id, account_id }: Discrepancy, row: EditedRow): string {
  const parts = [kind, lot_id === row.lot_id && 'lot', charge_id === row.id && 'charge'];
  return [...parts, account_id !== row.account_id && 'other account'].filter(Boolean).join(', ');
}

/** Random rows that fit, each stratum as often as every other. */
async function rowsOf(edit: PlantedEdit): Promise<readonly EditedRow[]> {
  const rows = await shop.ledger.query<EditedRow>(`${edit.rows} ORDER BY id`);
  const strata = [...new Set(rows.map(({ stratum = '' }) => stratum))];
  return Array.from({ length: runs }, () => {
    const picked = pickFrom(strata, random);
    return pickFrom(
      rows.filter(({ stratum = '' }) => stratum === picked),
      random,
    );
  });
}

it('the audit finds nothing in forty days of business', async () => {
  expect(await shop.ledger.get(AuditService).audit()).toMatchObject({ ok: true, discrepancies: [] });
});

it.each(plantedEdits)(
  'the audit finds $name, and names what was changed',
  async (edit) => {
    const rows = await rowsOf(edit);
    planted += rows.length;
    const missed: object[] = [];
    for (const row of rows) {
      const reply = await auditAfter(edit, row);
      expect(reply.ok).toBe(reply.discrepancies.length === 0);
      const wrong = objections(edit, row, reply);
      if (wrong.length > 0) missed.push({ wrong, row, seed });
    }
    expect(missed).toEqual([]);
  },
  3_600_000,
);
