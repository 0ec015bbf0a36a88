import { join } from 'node:path';
import { CreatorRecord, readShape } from '#contracts';
import { followers, person, statement } from './item.fixture.js';
import { type Item } from './item.js';
import { toRecord } from './record.js';
import { readTables, type Tables } from './tables.js';

const today = '2025-06-01';
let tables: Tables;

beforeAll(async () => (tables = await readTables(join(import.meta.dirname, 'tables'))));

function recordOf(item: Item): CreatorRecord {
  const record = toRecord(item, tables, today);
  if (typeof record === 'string') throw new Error(`left out: ${record}`);
  return record;
}

const texts = (labels: Readonly<Record<string, string>>) => person({}, labels).labels;

describe('toRecord', () => {
  it('reads a person into a record that an import takes', () => {
    const item = {
      ...person({
        P1412: [statement('Q9043'), statement('Q1860')],
        P103: [statement('Q9043')],
        P106: [statement('Q177220'), statement('Q33999'), statement('Q17125263')],
        P856: [statement('ftp://ada.example/'), statement('https://ada.example/')],
      }),
      descriptions: { en: { value: 'Norwegian singer' } },
    };
    const record = recordOf(item);
    expect(record).toEqual({
      slug: 'ada-example-q4242',
      name: 'Ada Example',
      tagline: 'Norwegian singer',
      country: 'Norway',
      languages: ['Norwegian', 'English'],
      website: 'https://ada.example/',
      categories: ['music', 'film-television'],
      platforms: [{ platform: 'instagram', handle: 'ada', followers: 1200, updated_at: '2024-05-01' }],
    });
    expect(readShape(CreatorRecord, { ...record }, { strict: true }).details).toBeUndefined();
  });

  it('reads a channel: its class gives the kind, its origin the country', () => {
    const channel = person({
      P31: [statement('Q17558136')],
      P27: [],
      P495: [statement('Q30')],
      P17: [statement('Q145')],
      P407: [statement('Q1860')],
      P641: [statement('Q2736')],
    });
    expect(recordOf(channel)).toMatchObject({
      country: 'United States',
      languages: ['English'],
      categories: ['sports'],
    });
  });

  it.each([
    ['kind', { P31: [statement('Q11424')] }],
    ['kind', { P31: [{ ...statement('Q5'), rank: 'deprecated' as const }] }],
    ['account', { P2003: [] }],
    ['count', { P8687: [followers(5, '2024-05-01', { P2003: 'another' })] }],
    ['country', { P27: [] }],
    ['country', { P27: [statement('Q15180')] }],
    ['country', { P27: [statement({ snaktype: 'somevalue' })] }],
  ])('leaves an item out for its %s', (reason, claims) => {
    expect(toRecord(person(claims), tables, today)).toBe(reason);
  });

  it.each<[Partial<Item>, string]>([
    [{ labels: texts({ de: 'Ada B', mul: 'Ada M', en: 'Ada E' }) }, 'Ada E'],
    [{ labels: texts({ de: 'Ada B', mul: 'Ada M' }) }, 'Ada M'],
    [{ labels: texts({ ja: 'アダ', sv: 'Åda S', de: 'Ada D (Künstlerin)' }) }, 'Ada D (Künstlerin)'],
    [{ labels: texts({ ja: 'アダ' }), aliases: { ja: [{ value: 'アダ' }, { value: 'Ada J' }] } }, 'Ada J'],
  ])('names %j %s', (given, name) => {
    expect(recordOf({ ...person(), ...given }).name).toBe(name);
  });

  it.each<Record<string, string>>([{ ja: 'アダ', ru: 'Ада' }, { xx: '123' }, {}])(
    'leaves out one that is named only %j',
    (labels) => {
      expect(toRecord(person({}, labels), tables, today)).toBe('name');
    },
  );

  it.each([
    ['Łukasz  "Ø" Straße', 'lukasz-o-strasse-q4242'],
    ["Conan O'Neil & Łódź", 'conan-oneil-lodz-q4242'],
    ['映画', 'q4242'],
    ['a'.repeat(150), `${'a'.repeat(94)}-q4242`],
    [`${'a'.repeat(93)} b`, `${'a'.repeat(93)}-q4242`],
  ])('makes the slug of %s', (en, slug) => {
    expect(recordOf(person({}, { en })).slug).toBe(slug);
  });
});
