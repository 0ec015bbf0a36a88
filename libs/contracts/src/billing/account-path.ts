import { IdField } from '../validation/fields.js';

/** Names one account. */
export class AccountPath {
  @IdField()
  readonly account_id: string;
}
