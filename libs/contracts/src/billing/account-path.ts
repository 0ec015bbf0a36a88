import { Id } from '../shape/fields.js';

/** Names one account. */
export class AccountPath {
  @Id()
  readonly account_id: string;
}
