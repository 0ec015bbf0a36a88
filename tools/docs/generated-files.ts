import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { describeContracts } from '../contracts/describe-contracts.js';
import { snapshotFile } from '../contracts/snapshot.js';
import { apiPage, introductionOf } from './api-page.js';
import { clientTypes } from './client-types.js';
import { prometheusRule, prometheusRuleFile } from './prometheus-rule.js';
import { describeApi, type Examples, openapiFile } from './openapi.js';

const page = 'docs/api.md';

/** The files that are made from the declarations of the public API, or of other files, as they should be. */
export async function generatedFiles(examples: Examples): Promise<Record<string, string>> {
  const text = await formatted(page, apiPage(readFileSync(page, 'utf8')));
  return {
    [page]: text,
    [openapiFile]: await formatted(openapiFile, JSON.stringify(describeApi(introductionOf(text), examples))),
    [snapshotFile]: await formatted(snapshotFile, JSON.stringify(describeContracts())),
    [prometheusRuleFile]: await formatted(prometheusRuleFile, prometheusRule()),
    // kustomize takes no file from elsewhere.
    'deploy/kubernetes/components/backup/backup.sh': readFileSync('deploy/backup/backup.sh', 'utf8'),
    'libs/client/src/api.ts': await formatted('libs/client/src/api.ts', clientTypes()),
  };
}

/** As `npm run format` would leave it. */
export async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
