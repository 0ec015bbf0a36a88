import { buildClient } from '../../tools/bootstrap/build.mjs';

/** Builds the client's package; the suites of operations start their stacks themselves. */
export default buildClient;
