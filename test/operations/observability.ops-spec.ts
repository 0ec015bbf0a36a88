import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serviceNames, type Stack } from '#dev';
import { eventually, Metrics } from '#testing';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { type CollectedSpan, TraceCollector } from './support/trace-collector.js';

const alerts = readFileSync('deploy/observability/alerts.yml', 'utf8');
let stack: Stack;
const collector = new TraceCollector();
let account: TestAccount;
let atStart: readonly Metrics[];
const catalog = new SuiteCatalog();
const creators = [catalog.record('one'), catalog.record('two'), catalog.record('three')];

const ofGateway = (): Promise<Metrics> => Metrics.of(stack.internalUrls.gateway[0] ?? '');
const ofCatalog = (): Promise<Metrics> => Metrics.of(stack.internalUrls.catalog[0] ?? '');
const ofBilling = (): Promise<Metrics> => Metrics.of(stack.internalUrls.billing[0] ?? '');
const ofWebsite = (): Promise<Metrics> => Metrics.of(stack.internalUrls.website[0] ?? '');
const key = (number = 0): string => account.keys[number]?.key ?? '';

beforeAll(async () => {
  stack = await startOperatedStack({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(), OTEL_BSP_SCHEDULE_DELAY: '100' },
  });
  atStart = await Promise.all([ofGateway(), ofWebsite(), ofCatalog(), ofBilling()]);
  await catalog.importVisible(creators);
  account = await createFundedAccount({ credits: 1_000, keys: 3 });
}, 120_000);

afterAll(async () => {
  await stack?.stop();
  collector.stop();
});

describe('the metrics show', () => {
  it('how many calls of each route ended with each status, and how long they took', async () => {
    const before = await ofGateway();
    await Promise.all([1, 2, 3].map(() => api.search({ platform: 'youtube' }, key())));
    await api.search({ limit: 0 }, key());
    await api.profile('nobody', key());
    const after = await ofGateway();
    const rise = (labels: Record<string, string>): number =>
      after.sum('http_request_duration_seconds_count', labels) -
      before.sum('http_request_duration_seconds_count', labels);
    expect(rise({ api: 'public', route: paths.search, method: 'GET', status: '200' })).toBe(3);
    expect(rise({ route: paths.search, status: '400' })).toBe(1);
    expect(rise({ route: paths.profile(':slug'), status: '404' })).toBe(1);
    expect(rise({ status: '500' })).toBe(0);
    expect(after.sum('http_request_duration_seconds_sum')).toBeGreaterThan(0);
    expect(after.sum('http_requests_in_flight')).toBe(0);
  });
});

it('every counter of an alert exists before its first event, because a new series that starts at 1 is no increase', () => {
  const counters = [...alerts.matchAll(/creator_search_(\w+_total)(?:\{(\w+)=~?"([^"]+)"\})?/g)].flatMap(
    ([, name = '', label = '', values = '']) =>
      values.split('|').map((value) => [name, label === '' ? {} : { [label]: value }] as const),
  );
  expect(counters.length).toBeGreaterThan(8);
  const missing = counters.filter(([name, labels]) => !atStart.some((metrics) => metrics.has(name, labels)));
  expect(missing).toEqual([]);
});

describe('the metrics never contain', () => {
  it('more series for more callers, slugs, words or wrong paths', async () => {
    const call = async (round: number): Promise<void> => {
      await api.profile(`slug-${round}`, key(2));
      await api.search({ q: `word${round}`, country: `country${round}`, limit: 1 }, key(2));
      await api.get(`/wrong/path/${round}`, key(2));
      await api.send(`/wrong/path/${round}`, { method: round % 2 === 0 ? 'PUT' : 'POST' });
    };
    await call(0);
    await call(1);
    const before = await Promise.all([ofGateway(), ofCatalog(), ofBilling()]);
    for (let round = 2; round < 12; round++) await call(round);
    const after = await Promise.all([ofGateway(), ofCatalog(), ofBilling()]);
    expect(after.map((metrics) => metrics.series('http_request_duration_seconds_count'))).toEqual(
      before.map((metrics) => metrics.series('http_request_duration_seconds_count')),
    );
    expect(after.map((metrics) => metrics.series('database_query_duration_seconds_count'))).toEqual(
      before.map((metrics) => metrics.series('database_query_duration_seconds_count')),
    );
  });

  it('a key, a token, the email address of a customer or a searched word', async () => {
    const texts = await Promise.all([ofGateway(), ofCatalog(), ofBilling()]);
    const all = texts.map(({ text }) => text).join('\n');
    for (const secret of [key(), stack.adminToken, account.id, 'word5', 'slug-5', '@']) {
      expect(all).not.toContain(secret);
    }
  });
});

it('a search is one trace, from the span of the caller through every service down to the SQL statements', async () => {
  const traceId = randomBytes(16).toString('hex');
  const callerSpan = randomBytes(8).toString('hex');
  const headers = { traceparent: `00-${traceId}-${callerSpan}-01` };
  const reply = await api.get(`${paths.search}?platform=youtube`, key(), { headers });
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
      'billing: sql write charges',
    ]);
    const roots = collector.spans.filter(({ parentSpanId = '' }) => parentSpanId === '');
    expect(roots.filter(({ name }) => !/^[A-Z]+ /.test(name))).toEqual([]);
  }, 5_000);
});

it('every process says which version and commit it is: in its health, its metrics and its log', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  for (const service of serviceNames) {
    const url = stack.internalUrls[service][0] ?? '';
    for (const path of ['live', 'ready']) {
      const health = (await (await fetch(`${url}/health/${path}`)).json()) as { commit: string };
      expect(health).toMatchObject({ status: 'ok', version });
      expect(health.commit).toMatch(/^([0-9a-f]{40}(-dirty)?|unknown)$/);
      const labels = { service, version, commit: health.commit, node: process.versions.node };
      expect((await Metrics.of(url)).sum('build_info', labels)).toBe(1);
      const [first = ''] = readFileSync(`${stack.logDirectory}/${service}-0.log`, 'utf8').split('\n');
      const { commit, node } = labels;
      expect(JSON.parse(first)).toMatchObject({ msg: 'starting', service, version, commit, node });
    }
  }
});
