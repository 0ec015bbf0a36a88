import fc from 'fast-check';
import { categoryKey } from './creator.js';

describe('categoryKey', () => {
  it.each([
    ['Food & Drink', 'food-drink'],
    ['Food and Drink', 'food-drink'],
    ['And', 'and'],
    ['andy-and-friends and', 'andy-friends-and'],
    ['  FOOD/drink!', 'food-drink'],
    ['Музыка и танцы', 'музыка-и-танцы'],
    ['뷰티'.normalize('NFD'), '뷰티'],
    ['संगीत', 'संगीत'],
    ['ดนตรี & นิยาย', 'ดนตรี-นิยาย'],
    ['🎮', '🎮'],
  ])('turns %j into %j', (category, key) => {
    expect(categoryKey(category)).toBe(key);
  });

  it('leaves a key unchanged: a slug names the same category as the name it came from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (category) => {
        const key = categoryKey(category);
        expect(categoryKey(key)).toBe(key);
      }),
    );
  });
});
