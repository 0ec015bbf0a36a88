import { credits } from './credits.mjs';
import { gateway } from './gateway.mjs';
import { ledgerRules } from './ledger-rules.mjs';
import { ledgerStorage } from './ledger-storage.mjs';
import { sweep } from './sweep.mjs';

/**
 * Faults that somebody could put into the code that charges. `from` occurs once in `file`; a test of `killedBy`, which fails
 * with the fault and passes without it, is the proof that it would not go unnoticed. `test` narrows
 * them to the tests with this name, where the others would only wait for what the fault keeps from coming.
 */
export const mutants = [...ledgerRules, ...ledgerStorage, ...credits, ...sweep, ...gateway];
