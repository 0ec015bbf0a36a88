import { credits } from './lists/credits.js';
import { customerViews } from './lists/customer-views.js';
import { gateway } from './lists/gateway.js';
import { ledgerRules } from './lists/ledger-rules.js';
import { ledgerStorage } from './lists/ledger-storage.js';
import { mcp } from './lists/mcp.js';
import { noticesAndSignIn } from './lists/notices-and-sign-in.js';
import { operators } from './lists/operators.js';
import { orders } from './lists/orders.js';
import { paymentEvents } from './lists/payment-events.js';
import { providerSignIn } from './lists/provider-sign-in.js';
import { repeatedCalls } from './lists/repeated-calls.js';
import { sweep } from './lists/sweep.js';
import { type Mutant } from './mutant.js';

export const mutants: readonly Mutant[] = [
  ...ledgerRules,
  ...ledgerStorage,
  ...repeatedCalls,
  ...credits,
  ...sweep,
  ...customerViews,
  ...gateway,
  ...mcp,
  ...orders,
  ...operators,
  ...paymentEvents,
  ...noticesAndSignIn,
  ...providerSignIn,
];
