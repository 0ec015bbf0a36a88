import { testEveryInterleaving } from './every-interleaving.fixture.js';

testEveryInterleaving('short', 60_000);
