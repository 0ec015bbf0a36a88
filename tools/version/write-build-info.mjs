// node tools/version/write-build-info.mjs <build>
import { readBuildInfo, writeBuildInfo } from './build-info.mjs';

const [build = ''] = process.argv.slice(2);
writeBuildInfo(build, readBuildInfo());
