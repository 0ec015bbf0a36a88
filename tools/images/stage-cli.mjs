// node tools/images/stage-cli.mjs <build of tools> <destination>
import { stageCli } from './cli-package.mjs';

const [build = '', destination = ''] = process.argv.slice(2);
stageCli(build, destination);
