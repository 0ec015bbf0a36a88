import { hash } from 'node:crypto';
import { type Pool } from 'pg';

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
}

const rememberedMs = 1_000;
const rememberedMost = 10_000;

/** Finds keys by their hash, and remembers each for a second. */
export class Keys {
  private readonly remembered = new Map<string, { readonly key: ApiKey; readonly until: number }>();

  constructor(private readonly pool: Pool) {}

  async find(authorization: string | undefined): Promise<ApiKey | undefined> {
    const secret = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
    if (secret === undefined) return undefined;
    const digest = hash('sha256', secret);
    const known = this.remembered.get(digest);
    if (known && known.until > Date.now()) return known.key;
    const key = await this.read(digest);
    if (this.remembered.size >= rememberedMost) this.remembered.clear();
    if (key) this.remembered.set(digest, { key, until: Date.now() + rememberedMs });
    return key;
  }

  private async read(digest: string): Promise<ApiKey | undefined> {
    const { rows } = await this.pool.query<ApiKey>({
      name: 'find key',
      text: 'SELECT id, account_id AS "accountId" FROM api_keys WHERE hash = $1 AND active',
      values: [digest],
    });
    return rows[0];
  }
}
