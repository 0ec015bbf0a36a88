import fc from 'fast-check';
import { shownText } from './shown-text.js';

it.each([
  ['Luna', 'Luna'],
  ['  Luna Ray\t\n', 'Luna Ray'],
  ['\u00a0\u3000Luna\ufeff', 'Luna'],
  ['\u200bLu\u200bna\u2060', 'Luna'],
  ['\u202eanul\u202c', 'anul'],
  ['evil\u2066\u202egpj.exe\u2069', 'evilgpj.exe'],
  ['\u0000\u001bLuna\u0085', 'Luna'],
  ['Lu\u00adna', 'Luna'],
  ['\u3164', ''],
  ['\u200d\u200c \u2800', ''],
  ['\ufe0f', ''],
  ['\u{e0041}', ''],
  ['', ''],
  // Control characters inside are for the field to refuse.
  ['a\u0007b', 'a\u0007b'],
  // What emoji and letters are made of stays.
  ['👩🏽‍🍳', '👩🏽‍🍳'],
  ['I ❤️', 'I ❤️'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['می\u200cخواهم\u200c', 'می\u200cخواهم'],
  ['ന്\u200d', 'ന്\u200d'],
  ['한글', '한글'],
])('shows %j as %j', (text, shown) => {
  expect(shownText(text)).toBe(shown);
});

it('keeps no character that turns the text around it, and shows a shown text as it is', () => {
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 1 }) },
    fc.constantFrom(
      ' ',
      '\n',
      '\u200b',
      '\u200d',
      '\u200e',
      '\u061c',
      '\u202e',
      '\u2067',
      '\ufe0f',
      '\u3164',
    ),
  );
  fc.assert(
    fc.property(fc.array(unit), (characters) => {
      const shown = shownText(characters.join(''));
      expect(shownText(shown)).toBe(shown);
      expect(shown).not.toMatch(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});
