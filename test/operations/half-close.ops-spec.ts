import { readFileSync } from 'node:fs';
import { type Stack, startStack } from '@app/local-stack';
import { createFundedAccount } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { WireConnection } from '../support/wire-connection.js';
import { ledgerAftermath, ledgerInOrder, requestsLeftInFlight } from './support/aftermath.js';
import { type Certificate, makeCertificate } from '@app/testing';
import { startOperatedStack } from './support/operated-stack.js';
import { deliveriesOf, textOf, wireRequests } from './support/wire-requests.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone', { name: catalog.marker });
const search = { path: `/api/public/v1/search?q=${catalog.marker}`, credits: 2 };
const profile = { path: `/api/public/v1/creators/${creator.slug}`, credits: 1 };

let certificate: Certificate;
let stack: Stack;
/** One more gateway of the same services, which speaks TLS. */
let encrypted: Stack;

beforeAll(async () => {
  certificate = await makeCertificate();
  stack = await startOperatedStack();
  encrypted = await startStack({
    replicas: { catalog: 0, billing: 0 },
    redisUrl: stack.redisUrl,
    catalogDatabaseUrl: stack.databaseUrls.catalog,
    billingDatabaseUrl: stack.databaseUrls.billing,
    environment: { TLS_CERT_FILE: certificate.certificateFile, TLS_KEY_FILE: certificate.keyFile },
  });
  await catalog.importVisible([creator], new KeyPool());
}, 120_000);

afterAll(async () => {
  await encrypted?.stop();
  await stack?.stop();
  certificate?.remove();
});

describe.each([
  { over: 'plain TCP', isEncrypted: false },
  { over: 'TLS', isEncrypted: true },
])('over $over, a client that writes nothing more after its requests', ({ isEncrypted }) => {
  it.each([
    { what: 'a search', requests: { searches: 1, profiles: 0 } },
    { what: 'a profile', requests: { searches: 0, profiles: 1 } },
    { what: 'five of them in one write', requests: { searches: 2, profiles: 3 } },
  ])('gets its answers whole and pays for them: $what', async ({ requests: { searches, profiles } }) => {
    const account = await createFundedAccount({ credits: 100 });
    const requests = [
      ...wireRequests(searches, search, [account.key]),
      ...wireRequests(profiles, profile, [account.key]),
    ];
    const gateway = isEncrypted ? encrypted : stack;
    const connection = await WireConnection.open(
      gateway.publicUrl,
      isEncrypted ? { certificate: readFileSync(certificate.certificateFile) } : {},
    );
    await connection.halfClose(textOf(requests));
    const end = await connection.ended;
    connection.close();

    const statuses = connection.answers.map(({ status }) => status);
    const ledger = await ledgerAftermath(account.id, deliveriesOf(requests, connection.answers, 0));
    const price = searches * search.credits + profiles * profile.credits;
    expect({ end, statuses, ledger }).toMatchObject({
      end: 'end',
      statuses: requests.map(() => 200),
      ledger: { ...ledgerInOrder, creditsTaken: price, creditsArrived: price },
    });
    expect(await requestsLeftInFlight(gateway)).toBe(0);
  });
});
