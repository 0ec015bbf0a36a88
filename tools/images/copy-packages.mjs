// node tools/images/copy-packages.mjs <build> <destination>
import { copyPackages } from './service-packages.mjs';

const [build = '', destination = ''] = process.argv.slice(2);
copyPackages(build, destination);
