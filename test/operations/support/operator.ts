import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Account,
  admin,
  type CreatorRecord,
  type ImportReport,
  type Key,
} from '../../support/admin-api.js';
import { type Reply } from '../../support/http.js';
import { type SuiteCatalog } from '../../support/suite-catalog.js';

const betweenRoundsMs = 100;
/** An account may create 100 keys a day. */
const roundsWithAccount = 50;

/** Creates accounts, creates, renames and deletes keys, and imports and hides creators, again and again; each request has to succeed. */
export class Operator {
  requests = 0;
  /** What was not answered as it should have been. */
  readonly failed: string[] = [];
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private readonly creators: readonly CreatorRecord[];

  private accountId = '';

  constructor(catalog: SuiteCatalog) {
    this.creators = ['operated-one', 'operated-two'].map((name) =>
      catalog.record(name, { country: 'Elsewhere' }),
    );
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    for (let round = 0; !this.stopping.signal.aborted; round += 1) {
      if (round % roundsWithAccount === 0) await this.createAccount();
      await this.changeKeys(round);
      await this.changeCreators(round);
      await wait(betweenRoundsMs);
    }
  }

  private async createAccount(): Promise<void> {
    const body = { name: 'Operated', email: `${randomUUID()}@customer.example` };
    const account = await this.expect('create an account', 201, () =>
      admin.call<Account>('POST', '/accounts', body),
    );
    this.accountId = account?.id ?? this.accountId;
  }

  /** A key that is created twice under one Idempotency-Key is one key. */
  private async changeKeys(round: number): Promise<void> {
    const keys = `/accounts/${this.accountId}/keys`;
    const reference = randomUUID();
    const create = () => admin.create<Key>(keys, { name: `key ${round}` }, reference);
    const first = await this.expect('create a key', 201, create);
    const again = await this.expect('create it again', 200, () => untilDecided(create));
    if (first?.id !== again?.id) this.failed.push(`key ${round} was created twice`);
    if (!first) return;
    const renamed = await this.expect('rename a key', 200, () =>
      admin.call<Key>('PATCH', `${keys}/${first.id}`, { name: 'renamed' }),
    );
    if (renamed?.name !== 'renamed') this.failed.push(`key ${round} was not renamed`);
    await this.expect('delete a key', 200, () => admin.call('DELETE', `${keys}/${first.id}`));
  }

  private async changeCreators(round: number): Promise<void> {
    const records = this.creators.map((creator) => ({ ...creator, tagline: `round ${round}` }));
    const report = await this.expect<ImportReport>('import', 200, () => admin.importCreators(records));
    if (report?.received !== records.length || report.rejected > 0) {
      this.failed.push(`import ${round}: ${JSON.stringify(report)}`);
    }
    const path = `/creators/${this.creators[0]?.slug}`;
    await this.expect('hide a creator', 200, () => admin.call('PATCH', path, { published: false }));
  }

  private async expect<Body>(
    what: string,
    status: number,
    request: () => Promise<Reply<Body>>,
  ): Promise<Body | null> {
    this.requests += 1;
    try {
      const reply = await request();
      if (reply.status === status) return reply.body;
      this.failed.push(`${what}: ${reply.status} ${reply.text}`);
    } catch (error) {
      this.failed.push(`${what}: ${String(error)}`);
    }
    return null;
  }
}

/** Two deliveries of one request may meet: one of them is asked to be sent again. */
async function untilDecided<Body>(request: () => Promise<Reply<Body>>): Promise<Reply<Body>> {
  for (;;) {
    const reply = await request();
    if (reply.status !== 409) return reply;
    await wait(betweenRoundsMs);
  }
}
