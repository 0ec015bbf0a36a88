import { testSeed } from '../../libs/testing/src/random.js';
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed() });
