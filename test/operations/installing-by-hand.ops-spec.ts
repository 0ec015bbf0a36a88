import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  postgresClientsPath,
  type PostgresServer,
  type RedisServer,
  runOrThrow,
  startPostgres,
  startRedis,
} from '#dev';
import { codeBlocksOf } from '../support/code-blocks.js';

const blocks = codeBlocksOf('docs/operations/by-hand.md', 'By hand').map(({ code }) => code);
const [setUp = '', migrations = '', services = ''] = blocks;
let secrets: string;
let postgres: PostgresServer;
let redis: RedisServer | undefined;

beforeAll(async () => {
  secrets = join(mkdtempSync(join(tmpdir(), 'by-hand-')), 'creator-search');
  postgres = await startPostgres();
}, 60_000);

afterAll(async () => {
  await Promise.all([postgres?.stop(), redis?.stop()]);
  rmSync(join(secrets, '..'), { recursive: true });
});

/** The lines of the document, with our directory and ports. */
async function runLines(script: string): Promise<string> {
  const here = script
    .replaceAll('/etc/creator-search', secrets)
    .replaceAll('127.0.0.1:5432', `127.0.0.1:${postgres.port}`)
    .replaceAll('PGHOST=127.0.0.1', `PGHOST=127.0.0.1 PGPORT=${postgres.port}`);
  // Without the variables of this process.
  const env = { PATH: `${await postgresClientsPath()}:${process.env.PATH}`, HOME: process.env.HOME };
  return runOrThrow('bash', ['-euo', 'pipefail', '-c', `secrets=${secrets}\n${here}`], { env });
}

/** The two servers and the build are those of the tests. */
const isOurs = (line: string): boolean => !/^(redis-server|npm) /.test(line);

it('the commands create roles, users and tables, and every service starts with its own secrets and no others', async () => {
  expect(blocks).toHaveLength(3);
  await runLines(setUp.split('\n').filter(isOurs).join('\n'));
  redis = await startRedis({ settings: { aclfile: join(secrets, 'redis_users') } });
  expect(await runLines(migrations)).toMatch(
    /catalog: .*grants to catalog[\s\S]*billing: .*grants to billing/,
  );

  const commands = services.replaceAll('\\\n', ' ').trim().split('\n');
  const names = commands.map((command) => /apps\/(\w+)\/src\/main\.js$/.exec(command)?.[1] ?? '');
  expect(names).toEqual(['billing', 'catalog', 'gateway', 'website']);
  for (const [index, command] of commands.entries()) {
    const name = names[index] ?? '';
    const config = await runLines(`${command} --print-config`);
    expect(config).toContain(`SERVICE_REDIS_URL=redis://${name}:***@`);
    const files = [...command.matchAll(/\$secrets\/(\w+)/g)].map(([, file = '']) => file);
    expect(files.filter((file) => /owner|migration|postgres_/.test(file))).toEqual([]);
    const ofOthers = names.filter((other) => other !== name);
    expect(files.filter((file) => ofOthers.some((other) => file.startsWith(other)))).toEqual([]);
    const hasDatabase = name === 'billing' || name === 'catalog';
    if (hasDatabase) expect(config).toContain(`_DATABASE_URL=postgres://${name}:***@`);
    if (hasDatabase) {
      const url = readFileSync(join(secrets, `${name}_database_url`), 'utf8').trim();
      await expect(runOrThrow('psql', [url, '-c', 'DROP TABLE migrations'])).rejects.toThrow('must be owner');
    }
  }
}, 120_000);
