import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { describeContracts } from '../contracts/describe-contracts.js';
import { snapshotFile } from '../contracts/snapshot.js';
import { apiPage, introductionOf } from './api-page.js';
import { currentVersion } from '../version/releases.js';
import { clientTypes } from './client-types.js';
import { configurationPage } from './configuration.js';
import { describeApi, openapiFile } from './openapi.js';

const page = 'docs/api.md';

/** What names the version of package.json, and where in it. */
const versions: Readonly<Record<string, RegExp>> = {
  Dockerfile: /(?<=image\.version=)\S+/,
  'deploy/kubernetes/overlays/production/settings.yaml': /(?<=^ {2}VERSION: ).+$/m,
};

/** The files that are made from the declarations of the code, or of other files, as they should be. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const text = await formatted(page, apiPage(readFileSync(page, 'utf8')));
  const files = {
    'docs/configuration.md': configurationPage(),
    [openapiFile]: JSON.stringify(describeApi(introductionOf(text))),
    [snapshotFile]: JSON.stringify(describeContracts()),
    'deploy/kubernetes/components/monitoring/prometheus-rule.yaml': prometheusRule(),
    'libs/client/src/api.ts': clientTypes(),
  };
  const written = Object.entries(files).map(async ([file, content]) => [
    file,
    await formatted(file, content),
  ]);
  return {
    [page]: text,
    ...(Object.fromEntries(await Promise.all(written)) as Record<string, string>),
    ...Object.fromEntries(
      Object.entries(versions).map(([file, place]) => [
        file,
        readFileSync(file, 'utf8').replace(place, currentVersion()),
      ]),
    ),
  };
}

const ruleHead = `# Of deploy/observability/alerts.yml: npm run docs
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: { name: creator-search }
spec:
`;

/** The alerts as the Prometheus Operator reads them: kustomize can't take them from a file elsewhere. */
function prometheusRule(): string {
  return ruleHead + readFileSync('deploy/observability/alerts.yml', 'utf8').replaceAll(/^(?=.)/gm, '  ');
}

/** Formats text as `npm run format` does. */
export async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
