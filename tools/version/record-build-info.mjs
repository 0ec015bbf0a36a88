import { recordBuildInfo } from './build-info.mjs';

recordBuildInfo('.');
