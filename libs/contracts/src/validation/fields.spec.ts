import {
  AnyField,
  BooleanField,
  ChoiceField,
  DayField,
  IdField,
  IntegerField,
  ListField,
  OptionalField,
  PatternField,
  Sha256Field,
  Sha256ListField,
  TextField,
  TimeField,
} from './fields.js';
import { int4Max } from './formats.js';
import { isPayload } from './read-payload.js';

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const hash = '0a'.repeat(32);

interface Case {
  readonly name: string;
  readonly field: PropertyDecorator;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const cases: readonly Case[] = [
  { name: 'an id', field: IdField(), good: [id], bad: ['', id.toUpperCase(), `${id} `, `{${id}}`, 7, [id]] },
  {
    name: 'a SHA-256',
    field: Sha256Field(),
    good: [hash],
    bad: [hash.slice(1), hash.toUpperCase(), `${hash}\n`],
  },
  {
    name: 'a text',
    field: TextField(3),
    good: ['', 'abc', '\n', '😀😀😀'],
    bad: ['abcd', '😀😀😀😀', 'a\0', 3, ['a']],
  },
  {
    name: 'a pattern',
    field: PatternField(/^[a-z]+$/, 3, 'letters'),
    good: ['a', 'abc'],
    bad: ['', 'abcd', 'a1', 'a\n'],
  },
  {
    name: 'an integer',
    field: IntegerField({ min: -1, max: int4Max }),
    good: [-1, 0, int4Max],
    bad: [-2, int4Max + 1, 0.5, '1', Number.NaN, Infinity, 1n, true],
  },
  { name: 'a boolean', field: BooleanField(), good: [true, false], bad: [0, 'true', ''] },
  { name: 'a choice', field: ChoiceField(['a', 'b']), good: ['a', 'b'], bad: ['c', '', ['a'], 0] },
  {
    name: 'a time',
    field: TimeField(),
    good: ['2026-01-31T12:00Z', '2026-01-31T12:00:00.123456789Z', '2024-02-29T23:59:59-12:30'],
    bad: [
      '2026-01-31',
      '2026-01-31T12:00:00',
      '2026-02-29T00:00:00Z',
      '2026-01-31T25:00:00Z',
      'yesterday',
      0,
    ],
  },
  {
    name: 'a day',
    field: DayField(),
    good: ['2024-02-29'],
    bad: ['2026-02-29', '2026-1-1', '2026-01-31T00:00Z'],
  },
  {
    name: 'a list of SHA-256',
    field: Sha256ListField(2),
    good: [[], [hash, hash]],
    bad: [[hash, hash, hash], [[hash]], [null], hash, { length: 1, 0: hash }],
  },
  { name: 'a list', field: ListField(2), good: [[], [null, 1]], bad: [[1, 2, 3], 'ab', { length: 1 }] },
];

function described(...decorators: readonly PropertyDecorator[]): new () => object {
  class Described {}
  for (const decorate of decorators) decorate(Described.prototype, 'field');
  return Described;
}

describe('a field of a payload', () => {
  it.each(cases)('declared as $name accepts nothing else', ({ field, good, bad }) => {
    const [Needed, Optional] = [described(field), described(OptionalField(), field)];
    for (const value of good) expect([value, isPayload(Needed, { field: value })]).toEqual([value, true]);
    for (const value of [...bad, null, {}]) {
      expect([value, isPayload(Needed, { field: value })]).toEqual([value, false]);
      expect([value, isPayload(Optional, { field: value })]).toEqual([value, false]);
    }
    expect(isPayload(Needed, {})).toBe(false);
    expect(isPayload(Optional, {})).toBe(true);
  });

  it('declared as any value accepts every value', () => {
    for (const value of [null, 'text', [[]], {}]) {
      expect(isPayload(described(AnyField()), { field: value })).toBe(true);
    }
  });
});
