import { buildProjects } from '../../tools/building/build-projects.js';
import startPostgres from './int.js';
import { type Stop } from './stop.js';

/** What the int and the operations suites have: these are the long ones of both. */
export default async function setUp(): Promise<Stop | undefined> {
  await buildProjects({ names: ['gateway', 'catalog', 'billing', 'client'] });
  return startPostgres();
}
