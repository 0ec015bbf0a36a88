import { Validator } from '@seriousme/openapi-schema-validator';
import { fail, run } from '../bootstrap/run.mjs';

const file = 'docs/openapi.json';

const { valid, errors } = await new Validator().validate(file);
if (!valid) fail(`${file} is not valid OpenAPI:\n${JSON.stringify(errors, null, 2)}`);

const redocly = [
  'node_modules/@redocly/cli/bin/cli.js',
  'lint',
  file,
  '--extends=recommended-strict',
  // The terms of use are the operator's.
  '--skip-rule=info-license',
];
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const { code, output } = await run(process.execPath, redocly, { quiet: true, env });
if (code !== 0) fail(output);
process.stdout.write(`${file}: valid, and nothing for the lint to say\n`);
