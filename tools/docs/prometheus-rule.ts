import { readFileSync } from 'node:fs';

export const prometheusRuleFile = 'deploy/kubernetes/components/monitoring/prometheus-rule.yaml';

const head = `# Of deploy/observability/alerts.yml: npm run docs
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: { name: creator-search }
spec:
`;

/** The alerts as the Prometheus Operator reads them: kustomize can't take them from a file elsewhere. */
export function prometheusRule(): string {
  return head + readFileSync('deploy/observability/alerts.yml', 'utf8').replaceAll(/^(?=.)/gm, '  ');
}
