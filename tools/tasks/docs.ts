import { writeFileSync } from 'node:fs';
import { databaseNames } from '#local-stack';
import { configurationPage, exampleEnvironment } from '../docs/configuration.js';
import { formatted, generatedFiles } from '../docs/generated-files.js';
import { collectExamples } from '../docs/openapi-examples.js';
import { describeSchemas, schemaPages } from '../docs/schema-pages.js';

writeFileSync('docs/configuration.md', await formatted('docs/configuration.md', configurationPage()));
writeFileSync('.env.example', exampleEnvironment());

const schemas = await describeSchemas();
for (const name of databaseNames) writeFileSync(schemaPages[name], schemas[name]);

for (const [file, text] of Object.entries(await generatedFiles(await collectExamples()))) {
  writeFileSync(file, text);
}
