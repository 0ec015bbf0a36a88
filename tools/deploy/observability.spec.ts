import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook: string };
    }[];
  }[];
}

const directory = 'deploy/observability';
const rules = (parse(readFileSync(join(directory, 'alerts.yml'), 'utf8')) as Rules).groups.flatMap(
  (group) => group.rules,
);
const dashboard = readFileSync(join(directory, 'grafana/dashboards/creator-search.json'), 'utf8');

/** Of what the services themselves define, in the calls that define them. */
function definedMetrics(): Set<string> {
  const definition = /\b(?:counter|histogram|sizes|gauges?|gaugesOfTwo)(?:<[^>]*>)?\(\s*'([a-z_]+)'/g;
  const files = ['apps', 'libs'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(room, name)),
  );
  return new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(definition)].map(([, name]) => name ?? ''),
    ),
  );
}

function usedMetrics(text: string): string[] {
  return [...text.matchAll(/creator_search_([a-z_]+)/g)].map(([, name = '']) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );
}

it.each(rules.map(({ alert, annotations }) => [alert, annotations.runbook] as const))(
  'the alert %s has an entry in the runbook',
  (_alert, runbook) => {
    const [file = '', anchor = ''] = runbook.split('#');
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings).toContain(anchor);
  },
);

it('the alerts and the dashboard use only metrics that exist', () => {
  const defined = definedMetrics();
  const used = usedMetrics(dashboard + rules.map(({ expr }) => expr).join('\n'));
  expect(used.length).toBeGreaterThan(30);
  expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([]);
});
