import { readFileSync } from 'node:fs';
import { run } from '#dev';
import { findMonitoringProgram, type MonitoringProgram } from '#testing';
import { parse } from 'yaml';
import { alertRules, observability } from './alert-rules.fixture.js';

// promtool plays days of every alert.
jest.setTimeout(60_000);

interface Cases {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: unknown[] }[];
  }[];
}

const missing =
  'Alerts are not tested: install promtool (Debian: apt-get install prometheus). With CI=true this is an error.';
let promtool: MonitoringProgram | null;

beforeAll(async () => {
  promtool = await findMonitoringProgram('promtool');
  if (promtool !== null) return;
  if (process.env.CI === 'true') throw new Error(missing);
  process.stderr.write(`\n${missing}\n`);
}, 300_000);

async function expectGood(...parameters: string[]): Promise<void> {
  if (promtool === null) return;
  const { path, environment: env } = promtool;
  const { code, output } = await run(path, parameters, { env });
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') as string });
}

it('every alert fires where it should and is silent where it should not', () =>
  expectGood('test', 'rules', `${observability}/alerts.test.yml`));

it('the configuration of Prometheus is valid', () =>
  expectGood('check', 'config', `${observability}/prometheus.yml`));

it('every alert has a case that fires and one that does not', () => {
  const { tests } = parse(readFileSync(`${observability}/alerts.test.yml`, 'utf8')) as Cases;
  const cases = tests.flatMap((test) => test.alert_rule_test);
  const names = alertRules.map(({ alert }) => alert);
  const having = (fires: boolean) =>
    new Set(
      cases
        .filter(({ exp_alerts }) => (exp_alerts ?? []).length > 0 === fires)
        .map(({ alertname }) => alertname),
    );
  const untested = names.filter((name) => !having(true).has(name) || !having(false).has(name));
  // It always fires.
  expect(untested).toEqual(['Watchdog']);
});
