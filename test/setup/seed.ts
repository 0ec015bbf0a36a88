import { testSeed } from '../../libs/testing/src/random/test-seed.js';
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed() });
