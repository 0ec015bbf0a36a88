import { TransactionRunner } from '#platform/database';
import { type ComposedBilling } from '../composed-billing.fixture.js';
import { oldRows } from '../sweep.module.js';
import { OldRowsStep } from './old-rows.step.js';

/** The step of the sweep that deletes the old rows of this name. */
export function oldRowsStep(billing: ComposedBilling, name: string): OldRowsStep {
  const rows = oldRows.find((each) => each.name === name);
  if (!rows) throw new Error(`the sweep deletes no ${name}`);
  return new OldRowsStep(billing.get(TransactionRunner), rows);
}
