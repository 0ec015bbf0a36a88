import { freePort } from '#dev';
import { reply, runCommand, ScriptedAdminApi } from './cli.fixture.js';

const api = ScriptedAdminApi.forTests();

describe('failures', () => {
  it('an error of the API is printed with its details, exit code 1', async () => {
    const details = { email: ['email must be an e-mail address'] };
    api.answers = [reply(400, { error: 'The request is not valid.', details })];
    const stderr = 'Error: The request is not valid.\n  email: email must be an e-mail address\n';
    expect(await api.cli('accounts create --name A --email x')).toEqual({ code: 1, stdout: '', stderr });
  });

  it.each([
    ['accounts create --name A', "required option '--email <email>'"],
    ['purchases create A --pack gold', 'Allowed choices are trial'],
    ['nonsense', "unknown command 'nonsense'"],
    ['accounts list --limit many', 'whole number'],
    ['orders resolve O', 'give --grant or --refunded'],
    ['orders resolve O --grant --refunded', "cannot be used with option '--refunded'"],
    ['orders refund O --reason none', 'Allowed choices are requested_by_customer'],
    ['creators remove ada', "required option '--reference <text>'"],
    ['creators remove --reference r', 'give a slug, or accounts with --handle'],
    ['creators remove ada --reference r --handle x:ada', 'give a slug, or accounts with --handle'],
    ['creators remove --reference r --handle myspace:ada', 'Expected a platform and a handle'],
    ['sign-in unlink', "missing required argument 'email'"],
  ])('%s: exit code 2, and nothing is sent', async (command, reason) => {
    const { code, stderr } = await api.cli(command);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(api.seen).toEqual([]);
  });

  it('without a service the error says where nothing answers', async () => {
    const environment = { ADMIN_URL: `http://127.0.0.1:${await freePort()}`, ADMIN_TOKEN: 'x' };
    const { code, stderr } = await runCommand(['packs'], { environment });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`Nothing answers at ${environment.ADMIN_URL}.`),
    ]);
  });

  it('an answer that is not JSON is explained', async () => {
    api.answers = [(_request, response) => void response.end('<html>')];
    expect(await api.cli('packs')).toMatchObject({
      code: 1,
      stderr: `Error: ${api.url} did not answer with JSON: is it the admin API?\n`,
    });
  });

  it('help needs no service and exits with 0', async () => {
    const { code, stdout } = await runCommand(['creators', 'import', '--help'], { environment: {} });
    expect(code).toBe(0);
    expect(stdout).toContain('--admin-url');
    expect(stdout).toContain('jq -c');
  });
});

describe('a command that creates something', () => {
  const command = 'accounts create --name Acme --email a@b.example';
  const created = { id: 'A', name: 'Acme', email: 'a@b.example' };
  const unavailable = reply(503, { error: 'Not now; try again shortly.' });

  it.each([
    [command, 'a 503', unavailable],
    ['keys create A', 'a lost connection', reset],
    ['keys rotate A K', 'a 503', unavailable],
  ])(
    '%s is repeated once with the same Idempotency-Key, of its own, after %s',
    async (words, _what, failure) => {
      api.answers = [failure, reply(200, created), reply(200, created)];
      const { code, stdout } = await api.cli(`${words} --json`);
      expect([code, JSON.parse(stdout)]).toEqual([0, created]);
      await api.cli(words);
      const [first, again, next] = api.seen.map(({ headers, body }) => [headers['idempotency-key'], body]);
      expect(again).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), first?.[1]]);
      expect(again).toEqual(first);
      expect(next?.[0]).not.toBe(first?.[0]);
    },
  );

  it('gives up after the second 503 and warns that it may have been created', async () => {
    api.answers = [unavailable, unavailable];
    const { code, stderr } = await api.cli(command);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/Not now; try again shortly\..*may have been created/),
    ]);
    expect(api.seen).toHaveLength(2);
  });
});

it.each([
  ['accounts create --name Acme --email a@b.example', 409, 'No.'],
  ['keys disable A K', 503, 'Not now.'],
  ['orders refund O', 409, 'The Stripe key may not refund.'],
])('%s is not repeated after a %d, and prints the reason', async (command, status, error) => {
  api.answers = [reply(status, { error })];
  expect(await api.cli(command)).toEqual({ code: 1, stdout: '', stderr: `Error: ${error}\n` });
  expect(api.seen).toHaveLength(1);
});

function reset(_request: unknown, response: { destroy: () => void }): void {
  response.destroy();
}
