import { startRedis } from '#dev';
import { itCarriesMessages } from './fixtures/carried-messages.fixture.js';

// Over sentinels and a cluster: failover.long-spec.ts.
describe('transport over one Redis', () => itCarriesMessages(startRedis));
