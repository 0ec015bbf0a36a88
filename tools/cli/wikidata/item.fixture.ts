import { type Item, type Statement } from './item.js';

type Snak = Statement['mainsnak'];
type Given = string | number | Snak;

interface StatementOptions {
  readonly rank?: Statement['rank'];
  /** Values by property. */
  readonly qualifiers?: Readonly<Record<string, Given>>;
}

/** A statement of an item (`Q42`), a count or a string. */
export function statement(
  value: Given,
  { rank = 'normal', qualifiers = {} }: StatementOptions = {},
): Statement {
  const snaks = Object.entries(qualifiers).map(([property, given]) => [property, [snak(given)]]);
  return {
    rank,
    mainsnak: snak(value),
    qualifiers: Object.fromEntries(snaks) as Record<string, Snak[]>,
  };
}

/** A point in time as Wikidata writes it: what is not known of the day is 00. */
export function day(text: string, precision = 11): Snak {
  return { snaktype: 'value', datavalue: { value: { time: `+${text}T00:00:00Z`, precision } } };
}

/** A follower count of an account, by a qualifier such as `{ P2003: 'ada' }`. */
export function followers(count: number, at: string, account: Readonly<Record<string, string>>): Statement {
  return statement(count, { qualifiers: { ...account, P585: day(at) } });
}

type Claims = NonNullable<Item['claims']>;

/** A person from Norway (Q20) with an account on Instagram, changed and completed by `claims`. */
export function person(
  claims: Claims = {},
  labels: Readonly<Record<string, string>> = { en: 'Ada Example' },
): Item {
  const texts = Object.entries(labels).map(([language, value]) => [language, { language, value }]);
  return {
    type: 'item',
    id: 'Q4242',
    labels: Object.fromEntries(texts) as Item['labels'],
    claims: {
      P31: [statement('Q5')],
      P27: [statement('Q20')],
      P2003: [statement('ada')],
      P8687: [followers(1200, '2024-05-01', { P2003: 'ada' })],
      ...claims,
    },
  };
}

function snak(given: Given): Snak {
  if (typeof given === 'object') return given;
  if (typeof given === 'number') {
    return {
      snaktype: 'value',
      datavalue: { value: { amount: `+${given}`, unit: '1' } as { amount: string } },
    };
  }
  return { snaktype: 'value', datavalue: { value: /^Q\d+$/.test(given) ? { id: given } : given } };
}
