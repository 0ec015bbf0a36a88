import fc from 'fast-check';
import { foldEmail } from './fold-email.js';

it.each([
  ['ops@acme.example', 'ops@acme.example'],
  [' Ops@ACME.Example ', 'ops@acme.example'],
  ['ｏｐｓ@acme.example', 'ops@acme.example'],
  ['E\u0301va@acme.example', 'éva@acme.example'],
  ['o.p-s+tag@mail.acme.example', 'o.p-s+tag@mail.acme.example'],
])('%j is compared as %j', (email, folded) => {
  expect(foldEmail(email)).toBe(folded);
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
  // An address by its characters, two of them in the form that is compared.
  'ops＠acme.example@evil.example',
  `ops@${'a'.repeat(250)}.example`,
])('%j is no address', (email) => {
  expect(foldEmail(email)).toBeNull();
});

it('the form of a form is itself', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(word, word, word, (local, domain, top) => {
      const folded = foldEmail(`${local}@${domain}.${top}`);
      if (folded !== null) expect(foldEmail(folded)).toBe(folded);
    }),
    { numRuns: 2_000 },
  );
});
