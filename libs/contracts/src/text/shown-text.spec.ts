import fc from 'fast-check';
import { UpdateAccountBody } from '../billing/accounts.js';
import { Text, Url } from '../shape/fields.js';
import { Texts } from '../shape/nested-fields.js';
import { readShape } from '../shape/read-shape.js';
import { shownText, withoutDirections } from './shown-text.js';

it.each([
  ['Luna', 'Luna'],
  ['  Luna Ray\t\n', 'Luna Ray'],
  ['\u200bLu\u200bna\u2060', 'Luna'],
  ['\u202eanul\u202c', 'anul'],
  ['evil\u2066\u202egpj.exe\u2069', 'evilgpj.exe'],
  ['\u0000\u001bLuna\u0085', 'Luna'],
  ['\u3164', ''],
  ['\u200d\u200c \u2800', ''],
  ['\u{e0041}', ''],
  // Control characters inside are for the field to refuse.
  ['a\u0007b', 'a\u0007b'],
  // What emoji and letters are made of stays.
  ['👩🏽‍🍳', '👩🏽‍🍳'],
  ['I ❤️', 'I ❤️'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['می\u200cخواهم\u200c', 'می\u200cخواهم'],
])('shows %j as %j', (text, shown) => {
  expect(shownText(text)).toBe(shown);
});

it('keeps no character that turns the text around it, and shows a shown text as it is', () => {
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 1 }) },
    fc.constantFrom(...' \n\u200b\u200d\u200e\u061c\u202e\u2067\ufe0f\u3164'),
  );
  fc.assert(
    fc.property(fc.array(unit), (characters) => {
      const shown = shownText(characters.join(''));
      expect(shownText(shown)).toBe(shown);
      expect(shown).not.toMatch(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

/** Characters that Unicode lists under `Bidi_Control`. */
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
