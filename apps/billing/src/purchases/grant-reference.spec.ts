import { grantReference, isGrantReference } from './grant-reference.js';

it('names a grant by its agreement and its day', () => {
  expect(grantReference('a', new Date('2024-02-29T10:00:00Z'))).toBe('agreement:a:2024-02-29');
});

it("can't be confused with the references of operators", () => {
  expect(isGrantReference(grantReference('a', new Date()))).toBe(true);
  expect(isGrantReference('order 17')).toBe(false);
});
