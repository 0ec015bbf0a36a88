import { WireConnection } from '../../support/wire-connection.js';
import { type CreatorRecord } from '../../support/admin-api.js';
import { createFundedAccount } from '../../support/accounts.js';
import { SuiteCatalog } from '../../support/suite-catalog.js';
import { textOf, type WireRequest, wireRequest } from './wire-requests.js';

const platforms = ['youtube', 'instagram', 'tiktok', 'facebook', 'x'];
const creatorCount = 100;
/** As long as the import allows. */
const urlLength = 2_000;
/** Answers to the same request differ by the digits of the balance and of the rate limit. */
const digits = 16;

type Kind = 'search' | 'profile';

/** Creators with such long addresses that answers are far larger than what the kernel buffers of a connection. */
export class LargeAnswers {
  private readonly catalog = new SuiteCatalog();
  private readonly sizes: Record<Kind, number> = { search: 0, profile: 0 };
  private readonly targets: Record<Kind, { readonly path: string; readonly credits: number }>;

  private constructor(private readonly publicUrl: string) {
    const { marker } = this.catalog;
    this.targets = {
      search: { path: `/api/public/v1/search?q=${marker}&limit=100`, credits: 2 },
      profile: { path: `/api/public/v1/creators/${marker}-0`, credits: 1 },
    };
  }

  /** Imports the creators into the stack that is under test, and measures their answers. */
  static async create(publicUrl: string): Promise<LargeAnswers> {
    const answers = new LargeAnswers(publicUrl);
    const records = Array.from({ length: creatorCount }, (_, number) => answers.record(number));
    await answers.catalog.importVisible(records);
    await answers.measure();
    return answers;
  }

  request(kind: Kind, key: string): WireRequest {
    return wireRequest(this.targets[kind], key);
  }

  /** At least so many bytes does the answer of each of these kinds have. */
  leastBytes(kind: Kind): number {
    return this.sizes[kind];
  }

  private record(number: number): CreatorRecord {
    const marker = this.catalog.marker;
    const accounts = platforms.map((platform) => {
      const handle = `${marker}${number}`;
      const url = `https://www.${platform}.com/${handle}?`;
      return this.catalog.account({ platform, handle, url: url.padEnd(urlLength, 'a') });
    });
    return this.catalog.record(String(number), { name: `${marker} ${number}`, platforms: accounts });
  }

  private async measure(): Promise<void> {
    const { key } = await createFundedAccount({ credits: 100 });
    const connection = await WireConnection.open(this.publicUrl);
    await connection.send(textOf([this.request('search', key), this.request('profile', key)]));
    const [search, profile] = await connection.whenAnswered(2);
    connection.close();
    this.sizes.search = (search?.bytes ?? 0) - digits;
    this.sizes.profile = (profile?.bytes ?? 0) - digits;
  }
}
