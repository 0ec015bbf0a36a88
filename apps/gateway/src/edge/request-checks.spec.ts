import { boundLists } from './request-checks.js';

const many = (item: string): string => Array<string>(2_000).fill(item).join(',');

it('leaves headers of a usual length as they are', () => {
  const headers = {
    accept: 'text/html,*/*;q=0.8',
    'x-forwarded-for': '192.0.2.1, 192.0.2.2',
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

it('reads the end of the list that proxies have added to', () => {
  const headers = { 'x-forwarded-for': `${many('192.0.2.1')},198.51.100.7` };
  boundLists(headers);
  expect(headers['x-forwarded-for']).toMatch(/^192\.0\.2\.1,.*,198\.51\.100\.7$/);
  expect(headers['x-forwarded-for'].length).toBeLessThanOrEqual(512);
});

it('cuts what is no list', () => {
  const headers = { 'content-type': `application/json;a=${'b'.repeat(15_000)}` };
  boundLists(headers);
  expect(headers['content-type']).toHaveLength(512);
});
