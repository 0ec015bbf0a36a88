import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { databaseNames } from '@app/local-stack';
import { configurationPage, exampleEnvironment } from './configuration.js';
import { describeSchemas, schemaPages } from './schema-pages.js';

const page = 'docs/configuration.md';
writeFileSync(page, await format(configurationPage(), { ...(await resolveConfig(page)), filepath: page }));
writeFileSync('.env.example', exampleEnvironment());

const schemas = await describeSchemas();
for (const name of databaseNames) writeFileSync(schemaPages[name], schemas[name]);
