import { boundLists } from './request-checks.js';

const many = (item: string): string => Array<string>(2_000).fill(item).join(',');

it('leaves headers of a usual length as they are', () => {
  const headers = {
    accept: 'text/html,*/*;q=0.8',
    cookie: many('a'),
    'if-none-match': many('"a"'),
  };
  const same = { ...headers };
  boundLists(headers);
  expect(headers).toEqual(same);
});

it.each(['accept', 'accept-encoding'] as const)('reads whole items at the start of %s', (name) => {
  const headers = { [name]: `first;q=1,${many('b;q=0.5')}` };
  boundLists(headers);
  expect(headers[name]).toMatch(/^first;q=1(,b;q=0\.5)+$/);
  expect(headers[name]?.length).toBeLessThanOrEqual(512);
});

it('cuts what is no list', () => {
  const headers = { 'content-type': `application/json;a=${'b'.repeat(15_000)}` };
  boundLists(headers);
  expect(headers['content-type']).toHaveLength(512);
});
