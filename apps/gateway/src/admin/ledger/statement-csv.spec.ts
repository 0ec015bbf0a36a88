import { type LedgerEntryView, type Page } from '@app/contracts';
import { statementCsv, statementLine } from './statement-csv.js';

const entry: LedgerEntryView = {
  id: '7',
  at: '2026-03-01T12:00:00.000Z',
  type: 'charge',
  credits: -2,
  lot_id: 'lot-1',
  charge_id: 'charge-1',
  request_id: 'request-1',
  operation: 'search',
  key_id: 'key-1',
  state: 'posted',
  reference: null,
  reason: null,
};

describe('statement as CSV', () => {
  it('writes an entry with its request, operation, key and lot', () => {
    expect(statementLine(entry)).toBe(
      '7,2026-03-01T12:00:00.000Z,charge,-2,lot-1,charge-1,request-1,search,key-1,posted,,\r\n',
    );
  });

  it('leaves out what an entry does not have', () => {
    const purchase = { ...entry, type: 'purchase', credits: 50, charge_id: null, request_id: null } as const;
    expect(statementLine({ ...purchase, operation: null, key_id: null, state: null })).toBe(
      '7,2026-03-01T12:00:00.000Z,purchase,50,lot-1,,,,,,,\r\n',
    );
  });

  it('writes the reference and the reason of an adjustment at its end', () => {
    const adjustment = {
      ...entry,
      type: 'adjustment',
      reference: 'ticket 7',
      reason: 'slow, twice',
    } as const;
    expect(statementLine(adjustment)).toMatch(/,posted,ticket 7,"slow, twice"\r\n$/);
  });

  it.each([
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\r\nb', '"a\r\nb"'],
    ['=1+1', "'=1+1"],
    ['@sum', "'@sum"],
  ])('makes %j harmless for spreadsheets', (request_id, field) => {
    expect(statementLine({ ...entry, request_id })).toContain(`,${field},`);
  });

  it('reads page after page', async () => {
    const page = (id: string, next_cursor: string | null): Page<LedgerEntryView> => ({
      items: [{ ...entry, id }],
      next_cursor,
    });
    const pages: Record<string, Page<LedgerEntryView>> = { a: page('2', 'b'), b: page('1', null) };
    const lines: string[] = [];
    const next = (cursor: string): Promise<Page<LedgerEntryView>> =>
      Promise.resolve(pages[cursor] ?? page('0', null));
    for await (const text of statementCsv(page('3', 'a'), next)) lines.push(text);
    expect(lines.map((line) => line.split(',')[0])).toEqual(['id', '3', '2', '1']);
  });
});
