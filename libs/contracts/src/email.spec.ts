import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { emailProblem, foldEmail, mailboxOf } from './email.js';

it.each([
  ['ops@acme.example', 'ops@acme.example'],
  [' Ops@ACME.Example ', 'ops@acme.example'],
  ['Éva@acme.example', 'éva@acme.example'],
  ['o.p-s+tag@mail.acme.example', 'o.p-s+tag@mail.acme.example'],
  ['用户@例子.example', '用户@例子.example'],
  ['ops@MÜLLER.example', 'ops@müller.example'],
  ['ops@xn--mller-kva.example', 'ops@müller.example'],
])('%j is compared as %j', (email, folded) => {
  expect(foldEmail(email)).toBe(folded);
  expect(emailProblem(email)).toBeNull();
});

it.each([
  '',
  'acme.example',
  '@acme.example',
  'ops@acme',
  'ops@acme..example',
  'ops@@acme.example',
  'a b@acme.example',
  '"a"@acme.example',
  'ops@acme.example, b@acme.example',
  'ops@acme.example\nBcc: b@acme.example',
  'Ops <ops@acme.example>',
  `ops@${'a'.repeat(250)}.example`,
])('%j is no address', (email) => {
  expect(foldEmail(email)).toBeNull();
  expect(emailProblem(email)).toBe('Enter a valid email address.');
});

it.each([
  ['a full-width letter', 'ｃfo@corp.example'],
  ['a mathematical letter', '𝐜fo@corp.example'],
  ['a ligature', 'oﬃce@corp.example'],
  ['the Kelvin sign, which is a k in lower case', '\u212Aim@corp.example'],
  ['a letter with a mark of its own', 'E\u0301va@corp.example'],
  ['a full-width at sign', 'ops＠acme.example@evil.example'],
  ['a full-width letter in the domain', 'cfo@ｃorp.example'],
  ['an ideographic full stop', 'cfo@corp。example.com'],
  ['a full-width full stop', 'cfo@corp．example.com'],
  ['a soft hyphen in the domain', 'cfo@co\u00ADrp.example'],
  ['a soft hyphen in the name', 'c\u00ADfo@corp.example'],
  ['a zero-width joiner', 'c\u200Dfo@corp.example'],
  ['a character that changes the direction', 'c\u202Efo@corp.example'],
  ['an escape in the domain', 'cfo@corp%2eexample.com'],
  ['a path behind the domain', 'cfo@corp.example/x'],
  ['a port', 'cfo@corp.example:25'],
  ['a number that is another address', 'cfo@0x7f.1'],
  ['a punycode that decodes to nothing', 'cfo@xn--a.example'],
])('%s is refused', (_what, email) => {
  expect(foldEmail(email)).toBeNull();
  expect(emailProblem(email)).toMatch(/^This address has characters that stand for others/);
});

it('the form of a form is itself, and neither NFKC nor IDNA changes it', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(word, word, word, (local, domain, top) => {
      const folded = foldEmail(`${local}@${domain}.${top}`);
      if (folded === null) return;
      expect(foldEmail(folded)).toBe(folded);
      expect(folded.normalize('NFKC')).toBe(folded);
    }),
    { numRuns: propertyRuns(500) },
  );
});

/** Surrogates, and characters that are not assigned or private, which are in no mapping of Unicode. */
const isWithoutMeaning = /[\p{Cs}\p{Cn}\p{Co}]/u;

it('no character of Unicode makes an address that equals one without it, but for its case', () => {
  const same: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (isWithoutMeaning.test(character)) continue;
    for (const email of [`a${character}b@acme.example`, `a@ac${character}me.example`]) {
      // eslint-disable-next-line no-control-regex
      if (/^[\x00-\x7f]*$/.test(foldEmail(email) ?? '\u0080')) same.push(code.toString(16));
    }
  }
  expect(same).toEqual([]);
});

it.each([
  ['ops@acme.example', 'ops@acme.example'],
  ['o.p.s@acme.example', 'ops@acme.example'],
  ['ops+a@acme.example', 'ops@acme.example'],
  ['o.ps+a.b+c@acme.example', 'ops@acme.example'],
  ['+a@acme.example', '+a@acme.example'],
  ['ops@googlemail.com', 'ops@gmail.com'],
  ['ops@müller.example', 'ops@xn--mller-kva.example'],
])('mails to %s are counted for %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
