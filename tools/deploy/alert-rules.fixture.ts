import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}

export const observability = 'deploy/observability';

/** Every alert, of the services and of the machine. */
export const alertRules = ['alerts.yml', 'machine-alerts.yml']
  .map(
    (file) => parse(readFileSync(`${observability}/${file}`, 'utf8')) as { groups: { rules: AlertRule[] }[] },
  )
  .flatMap(({ groups }) => groups.flatMap(({ rules }) => rules));
