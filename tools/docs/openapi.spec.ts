import { readFileSync } from 'node:fs';
import { describeApi } from './openapi.js';

interface Notice {
  readonly post: {
    readonly requestBody: {
      readonly content: Record<string, { schema: { properties: { data: { required: string[] } } } }>;
    };
  };
}

it('the notices to webhooks have the data that the guide lists', () => {
  const webhooks = describeApi('').webhooks as Record<string, Notice>;
  const described = Object.entries(webhooks).map(([kind, { post }]) => {
    const { required = [] } = post.requestBody.content['application/json']?.schema.properties.data ?? {};
    return [kind, required.filter((name) => name !== 'account_id')];
  });
  const rows = readFileSync('docs/guides/webhooks.md', 'utf8').matchAll(/^\| (`.*?) +\| (.*?) +\|$/gm);
  const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  const listed = [...rows]
    .filter(([, kinds]) => kinds !== '`type`')
    .flatMap(([, kinds, data]) => namesIn(kinds).map((kind) => [kind, namesIn(data)]));
  expect(Object.fromEntries(described)).toEqual(
    Object.fromEntries(listed.filter(([kind]) => kind !== 'type')),
  );
});
