import { credits } from './lists/credits.js';
import { gateway } from './lists/gateway.js';
import { ledgerRules } from './lists/ledger-rules.js';
import { ledgerStorage } from './lists/ledger-storage.js';
import { sweep } from './lists/sweep.js';
import { type Mutant } from './mutant.js';

export const mutants: readonly Mutant[] = [
  ...ledgerRules,
  ...ledgerStorage,
  ...credits,
  ...sweep,
  ...gateway,
];
