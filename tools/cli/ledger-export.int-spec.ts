import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type CliRun, runCommand } from './cli.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
let server: Server;
let pages: object[];
let asked: (string | undefined)[];

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(pages.shift()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => server.close());

function exportJson(): Promise<CliRun> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { ADMIN_URL: url, ADMIN_TOKEN: 'token' };
  return runCommand(['ledger', 'export', account, '--json'], { environment });
}

it('ledger export --json prints the entries of all pages as one JSON document', async () => {
  const entries = [{ id: '1' }, { id: '2' }, { id: '3' }];
  pages = [
    { entries: entries.slice(0, 2), next_cursor: 'next' },
    { entries: entries.slice(2), next_cursor: null },
  ];
  const { code, stdout } = await exportJson();
  expect([code, JSON.parse(stdout)]).toEqual([0, { entries }]);
  const path = `/admin/v1/accounts/${account}/ledger?limit=200`;
  expect(asked).toEqual([path, `${path}&cursor=next`]);
});

it('ledger export --json prints no entries as JSON too', async () => {
  pages = [{ entries: [], next_cursor: null }];
  expect(JSON.parse((await exportJson()).stdout)).toEqual({ entries: [] });
});
