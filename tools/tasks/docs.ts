import { writeFileSync } from 'node:fs';
import { databaseNames } from '#dev';
import { generatedFiles } from '../docs/generated-files.js';
import { describeSchemas, schemaPages } from '../docs/schema-pages.js';

for (const [file, text] of Object.entries(await generatedFiles())) writeFileSync(file, text);
const schemas = await describeSchemas();
for (const name of databaseNames) writeFileSync(schemaPages[name], schemas[name]);
