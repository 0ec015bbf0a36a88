import { writeFileSync } from 'node:fs';
import { databaseNames } from '@app/local-stack';
import { format, resolveConfig } from 'prettier';
import { describeApi } from '../../apps/gateway/src/reference/document/describe-api.js';
import { buildProjects } from '../building/build-projects.js';
import { configurationPage, exampleEnvironment } from '../docs/configuration.js';
import { collectExamples, examplesFile } from '../docs/openapi-examples.js';
import { describeSchemas, schemaPages } from '../docs/schema-pages.js';

/** Writes a file as `npm run format` would leave it. */
async function write(file: string, text: string): Promise<void> {
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

await buildProjects({ names: ['gateway', 'catalog', 'billing'] });
await write('docs/configuration.md', configurationPage());
writeFileSync('.env.example', exampleEnvironment());

const schemas = await describeSchemas();
for (const name of databaseNames) writeFileSync(schemaPages[name], schemas[name]);

const examples = await collectExamples();
await write(examplesFile, JSON.stringify(examples));
await write('docs/openapi.json', JSON.stringify(describeApi(examples)));
