import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type SearchRequest } from '@app/contracts';
import { type AdminClient, path } from '../../tools/cli/admin-client.js';
import { searchPath } from './sample-queries.js';

const keysPerAccount = 5;
/** Within the rate limit of a key. */
const searchesPerKey = 60;
const accountsAtOnce = 4;
/** More than any run takes. */
export const creditsOfAccount = 1_000_000;

/** Searches as consumers do, over kept connections and with as many keys as the rate limit asks for. */
export class Consumers {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly keys: string[];
  private searches = 0;

  private constructor(
    private readonly publicUrl: string,
    keys: readonly string[],
  ) {
    this.keys = [...keys];
  }

  /** Makes accounts with credits and keys for so many searches. */
  static async create(admin: AdminClient, publicUrl: string, searches: number): Promise<Consumers> {
    const accounts = Math.ceil(searches / searchesPerKey / keysPerAccount);
    const keys = await makeKeysOf(admin, accounts);
    return new Consumers(publicUrl, keys.flat());
  }

  /** Milliseconds of one search; throws when it does not succeed. */
  search(search: SearchRequest): Promise<number> {
    const key = this.keys[Math.floor(this.searches++ / searchesPerKey)];
    if (key === undefined) throw new Error('no key may search any more: ask for more searches');
    const url = this.publicUrl + searchPath(search);
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const call = request(
        url,
        { agent: this.agent, headers: { authorization: `Bearer ${key}` } },
        (reply) => {
          reply.resume();
          reply.on('error', reject);
          reply.on('end', () => {
            if (reply.statusCode === 200) resolve(performance.now() - startedAt);
            else reject(new Error(`a search was answered with ${reply.statusCode}`));
          });
        },
      );
      call.on('error', reject);
      call.end();
    });
  }

  /** How many a search finds. */
  async total(url: string): Promise<number> {
    const key = this.keys[Math.floor(this.searches++ / searchesPerKey)] ?? '';
    const reply = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const { total } = (await reply.json()) as { total?: number };
    if (total === undefined) throw new Error(`a search was answered with ${reply.status}`);
    return total;
  }

  close(): void {
    this.agent.destroy();
  }
}

/** The keys of each of so many new accounts. */
export async function makeKeysOf(admin: AdminClient, accounts: number): Promise<string[][]> {
  const keys: string[][] = [];
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun++ < accounts) keys.push(await makeKeys(admin));
  };
  await Promise.all(Array.from({ length: accountsAtOnce }, work));
  return keys;
}

/** The keys of a new account with credits. */
async function makeKeys(admin: AdminClient): Promise<string[]> {
  const body = { name: 'Benchmark', email: 'benchmark@customer.example' };
  const { id } = await admin.post<{ id: string }>('/accounts', body);
  const credits = { credits: creditsOfAccount, reason: 'benchmark', reference: 'benchmark' };
  await admin.post(path`/accounts/${id}/adjustments`, credits);
  const keys: string[] = [];
  for (let number = 0; number < keysPerAccount; number++) {
    const at = path`/accounts/${id}/keys`;
    const { key } = await admin.call<{ key: string }>({
      method: 'POST',
      path: at,
      body: { name: 'benchmark' },
    });
    keys.push(key);
  }
  return keys;
}
