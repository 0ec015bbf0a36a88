import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertRules, observability } from './alert-rules.fixture.js';
import { anchorsOf } from '../docs/markdown.fixture.js';

/** Finds the metrics that the services define, in calls or in a table that such a call goes through, and those of the script for backups. */
function definedMetrics(): Set<string | undefined> {
  const definition = /(?:\b(?:counter|histogram|sizes|gauges?|series)(?:<[^>]*>)?\(|^ +\[)\s*'([a-z_]+)',/gm;
  const files = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const measured = readFileSync('deploy/backup/measure.sh', 'utf8').matchAll(/^ *gauge ([a-z_]+)/gm);
  return new Set([
    ...files.flatMap((text) => [...text.matchAll(definition)].map(([, name]) => name)),
    ...[...measured].map(([, name]) => name),
  ]);
}

it.each(alertRules)('the alert $alert has an entry in the runbook', ({ annotations: { runbook } }) => {
  const [file = '', anchor = ''] = runbook.split('#');
  expect(anchorsOf(readFileSync(file, 'utf8'))).toContain(anchor);
});

it('the alerts and the dashboard use only metrics that exist', () => {
  const dashboard = readFileSync(join(observability, 'grafana/dashboards/creator-search.json'), 'utf8');
  const text = dashboard + alertRules.map(({ expr }) => expr).join('\n');
  const used = [...text.matchAll(/creator_search_([a-z_]+?)(?:_(?:bucket|count|sum))?\b/g)].map(
    ([, name]) => name,
  );
  expect(used.length).toBeGreaterThan(30);
  const defined = definedMetrics();
  expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([]);
});
