/** The state of the catalog that an index shows. */
export interface IndexedState {
  /** New when the catalog's database is created or restored. */
  readonly catalogId: string;
  /** Every change up to this one is in the index. */
  readonly revision: number;
}
