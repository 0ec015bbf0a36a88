import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { configurationPage, exampleEnvironment } from './configuration.js';

const page = 'docs/configuration.md';
writeFileSync(page, await format(configurationPage(), { ...(await resolveConfig(page)), filepath: page }));
writeFileSync('.env.example', exampleEnvironment());
