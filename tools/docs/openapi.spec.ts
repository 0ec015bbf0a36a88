import { describeApi, writtenExamples } from './openapi.js';

it('the OpenAPI document has an answer of a real stack for each of its examples', () => {
  const holes: string[] = [];
  const search = (value: unknown, place: string): void => {
    if (value === undefined) holes.push(place);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) search(part, `${place}/${name}`);
  };
  search(describeApi('', writtenExamples()), '#');
  expect(holes).toEqual([]);
});
