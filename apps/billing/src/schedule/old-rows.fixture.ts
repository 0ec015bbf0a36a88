import { TransactionRunner } from '#platform/database';
import { type ComposedBilling } from '../composed-billing.fixture.js';
import { sweepStatements, toStep } from '../sweep-statements.js';
import { type SweepStep } from './sweep.service.js';

/** The step of the sweep with this name, which is one statement. */
export function oldRowsStep(billing: ComposedBilling, name: string): SweepStep {
  const statement = sweepStatements.find((each) => each.name === name);
  if (!statement) throw new Error(`no statement of the sweep is called ${name}`);
  return toStep(billing.get(TransactionRunner), statement);
}
