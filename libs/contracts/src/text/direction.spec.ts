import fc from 'fast-check';
import { readShape } from '../shape/read-shape.js';
import { Text, Url } from '../shape/fields.js';
import { Texts } from '../shape/nested-fields.js';
import { UpdateAccountBody } from '../billing/accounts.js';
import { withoutDirections } from './direction.js';

/** As Unicode lists them under `Bidi_Control`. */
const controls = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];

class Named {
  @Text({ max: 20 })
  readonly name: string;

  @Texts({ max: 3, length: 20 })
  readonly languages: readonly string[];

  @Url()
  readonly website: string;
}

it('what people type is read without what changes the direction of writing, and otherwise as it is', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', ' ', 'ש', 'م', '-', 'é'), maxLength: 10 });
  const typed = fc.array(fc.oneof(letters, fc.constantFrom(...controls)), { maxLength: 8 });
  fc.assert(
    fc.property(typed, (parts) => {
      const expected = parts.filter((part) => !controls.includes(part)).join('');
      expect(withoutDirections(parts.join(''))).toBe(expected);
    }),
  );
});

it('every kind of text is read so', () => {
  const [mark = ''] = controls;
  const given = {
    name: ` ${mark} a${mark}b`,
    languages: [`${mark} fr`],
    website: `https://a.example/${mark}`,
  };
  expect(readShape(Named, given, { strict: false }).shape).toEqual({
    name: 'ab',
    languages: ['fr'],
    website: 'https://a.example/',
  });
  expect(readShape(UpdateAccountBody, { name: `A\u202ecme` }, { strict: false }).shape).toEqual({
    name: 'Acme',
  });
  expect(readShape(Named, { ...given, name: controls.join('') }, { strict: false }).details).toHaveProperty(
    'name',
  );
});
