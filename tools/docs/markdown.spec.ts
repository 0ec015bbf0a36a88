import { anchorsOf, localLinks, tableBelow } from './markdown.js';

it.each([
  ['## The API', 'the-api'],
  ['### `GET /search`', 'get-search'],
  ['### `GET /lookup`, `POST /lookup`', 'get-lookup-post-lookup'],
  ['### `GET /usage?from&to`', 'get-usagefromto'],
  ['### `GET /calls` and `GET /calls/{request_id}`', 'get-calls-and-get-callsrequest_id'],
  ['## A retry is paid once', 'a-retry-is-paid-once'],
  ['## One - two', 'one---two'],
  ['# What [a link](x.md#y) says', 'what-a-link-says'],
  ['## Für Ärzte', 'für-ärzte'],
])('%j is found at #%s', (line, anchor) => {
  expect([...anchorsOf(`text\n\n${line}\n\ntext`)]).toEqual([anchor]);
});

it('the same heading twice is numbered, one in code is none, and an anchor may be written', () => {
  const page = '# A\n\n## B\n\n```sh\n# C\n```\n\n## B\n\n## B\n\n<a id="d"></a>\n';
  expect([...anchorsOf(page)].sort()).toEqual(['a', 'b', 'b-1', 'b-2', 'd']);
});

it('links are those to this project, with their anchors, outside of code', () => {
  const page = `[one](a.md) [two](../b.md#c), [three](#d) [web](https://e.example/#f) [mail](mailto:g@h.example)
![picture](i.png) \`[code](j.md)\`

\`\`\`md
[block](k.md)
\`\`\`
`;
  expect(localLinks(page)).toEqual([
    { file: 'a.md', anchor: null },
    { file: '../b.md', anchor: 'c' },
    { file: '', anchor: 'd' },
    { file: 'i.png', anchor: null },
  ]);
});

it('a table below a heading is its rows', () => {
  const page =
    '# A\n\n| x | y |\n| - | - |\n| 0 | 0 |\n\n## B\n\ntext\n\n| What | How |\n| --- | --- |\n| a | `b` |\n| c |  |\n\n| no |\n';
  expect(tableBelow(page, 'B')).toEqual([
    ['a', '`b`'],
    ['c', ''],
  ]);
  expect(() => tableBelow(page, 'C')).toThrow('no heading');
});
