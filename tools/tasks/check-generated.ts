import { readFileSync } from 'node:fs';
import { fail, run } from '../bootstrap/run.mjs';
import { generatedFiles } from '../docs/generated-files.js';
import { openapiFile } from '../docs/openapi.js';

for (const [file, text] of Object.entries(await generatedFiles())) {
  if (readFileSync(file, 'utf8') !== text) fail(`${file} is not what the code says: npm run docs\n`);
}

const redocly = [
  'node_modules/@redocly/cli/bin/cli.js',
  'lint',
  openapiFile,
  '--extends=recommended-strict',
  // The terms of use are the operator's.
  '--skip-rule=info-license',
];
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const { code, output } = await run(process.execPath, redocly, { quiet: true, env });
if (code !== 0) fail(output);
process.stdout.write('generated files: as the declarations say, and nothing for the lint to say\n');
