import { testEveryInterleaving } from './every-interleaving.fixture.js';

testEveryInterleaving('long', 600_000);
