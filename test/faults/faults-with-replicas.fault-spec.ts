import { describeFaults } from './support/fault-suite.js';

describeFaults(2);
