import { buildProjects } from '../../tools/building/build-projects.js';

/** These suites start their stacks themselves; only the services, and the package of the client, have to be there. */
export default async function setUp(): Promise<void> {
  await buildProjects({ names: ['gateway', 'catalog', 'billing', 'client'] });
}
