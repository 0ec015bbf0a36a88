import { parseArgs } from 'node:util';
import { fail } from '../bootstrap/run.mjs';
import { buildProjects } from '../building/build-projects.js';
import { makePackages } from '../building/packages.js';

const usage = `Usage: npm run package -- [--output DIR]

Makes what is installed without containers: creator-search-VERSION.tar.gz with the three services and their units of systemd,
creator-search-cli-VERSION.tgz with the command line for npm, and SHA256SUMS of both. Needs GNU tar.

  --output DIR   default: dist/packages
`;

try {
  const { values } = parseArgs({
    options: {
      output: { type: 'string', default: 'dist/packages' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
  } else {
    await buildProjects({ names: ['gateway', 'catalog', 'billing', 'tools'] });
    process.stdout.write(`${(await makePackages(values.output)).join('\n')}\n`);
  }
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
