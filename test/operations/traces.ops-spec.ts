import { randomBytes } from 'node:crypto';
import { type Stack } from '@app/local-stack';
import { eventually } from '@app/testing';
import { createFundedAccount } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { type CollectedSpan, TraceCollector } from './support/trace-collector.js';

let stack: Stack;
let collector: TraceCollector;
const catalog = new SuiteCatalog();

beforeAll(async () => {
  collector = await TraceCollector.start();
  stack = await startOperatedStack({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' },
  });
  await catalog.importVisible([catalog.record('one')], new KeyPool());
}, 120_000);

afterAll(async () => {
  await stack?.stop();
  collector?.stop();
});

it('a search is one trace, from the caller’s own span through every service down to the statements', async () => {
  const { keys } = await createFundedAccount({ credits: 10, keys: 1 });
  const traceId = randomBytes(16).toString('hex');
  const callerSpan = randomBytes(8).toString('hex');
  const headers = { traceparent: `00-${traceId}-${callerSpan}-01` };
  const reply = await api.get('/api/public/v1/search?platform=youtube', keys[0]?.key ?? '', { headers });
  expect(reply.status).toBe(200);

  const pathOf = (span: CollectedSpan, all: readonly CollectedSpan[]): string[] => {
    const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
    const own = `${span.service}: ${span.name}`;
    return parent ? [...pathOf(parent, all), own] : [own];
  };
  await eventually(async () => {
    await Promise.resolve();
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const root = spans.find(({ parentSpanId }) => parentSpanId === callerSpan);
    expect(root).toMatchObject({ service: 'gateway', name: 'GET /api/public/v1/search' });
    const paths = spans.map((span) => pathOf(span, spans));
    const call = 'gateway: GET /api/public/v1/search';
    expect(paths).toContainEqual([call, 'gateway: send catalog.search', 'catalog: handle catalog.search']);
    expect(paths).toContainEqual([
      call,
      'gateway: send billing.charge',
      'billing: handle billing.charge',
      'billing: sql insert charges',
    ]);
  }, 5_000);
});
