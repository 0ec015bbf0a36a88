import { buildClient } from '../../tools/bootstrap/build.mjs';

/** These suites start their stacks themselves; what has to be there besides is the package of the client. */
export default buildClient;
