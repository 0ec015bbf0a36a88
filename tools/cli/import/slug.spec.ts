import { slugLengthMax, slugPattern } from '#contracts';
import fc from 'fast-check';
import { slugOf } from './slug.js';

describe('the slug of a name', () => {
  it.each([
    ['Ada Example', 'ada-example'],
    ['  Zoë  Ærø! ', 'zoe-aero'],
    ["Conan O'Neil & Łódź", 'conan-oneil-lodz'],
    ['𝓜𝓲𝓻𝓪 ✨', 'mira'],
    ['김철수 Kim', 'kim'],
    ['김철수', ''],
    ['--', ''],
  ])('%s: %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('is valid or empty, and its own slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        const slug = slugOf(name);
        if (slug !== '') expect(slug).toMatch(slugPattern);
        expect(slug.length).toBeLessThanOrEqual(slugLengthMax);
        expect(slugOf(slug)).toBe(slug);
      }),
    );
  });
});
