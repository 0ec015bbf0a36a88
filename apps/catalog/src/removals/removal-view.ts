import { type Deleted, type KeptOut, type Removal } from '#contracts';
import { sha256 } from '#platform';
import { type Creator } from '../creators/creator.js';

interface StoredRemoval {
  readonly id: string;
  readonly removed_at: Date;
  readonly reference: string;
  readonly note: string | null;
  readonly deleted: Deleted;
  readonly kept_out: readonly KeptOut[] | null;
}

/** The removal with its digest, which is made of the other fields in their order. */
export function toRemoval({ id, removed_at, reference, note, deleted, kept_out }: StoredRemoval): Removal {
  const { creators, fields, accounts } = deleted;
  const proof = {
    id,
    removed_at: removed_at.toISOString(),
    reference,
    note,
    deleted: { creators, fields, accounts },
    kept_out: (kept_out ?? []).map(({ by, hash }) => ({ by, hash })),
  };
  return { ...proof, digest: sha256(JSON.stringify(proof)) };
}

const countedFields = [
  'slug',
  'name',
  'tagline',
  'country',
  'languages',
  'verified',
  'website',
  'categories',
  'platforms',
] as const satisfies readonly (keyof Creator)[];

/** What the deletion of these creators deletes: which fields had a value, never the values. */
export function deletedOf(creators: readonly Creator[]): Deleted {
  const fields = countedFields.filter((field) => creators.some((creator) => hasValue(creator[field])));
  const accounts = creators.reduce((sum, { platforms }) => sum + platforms.length, 0);
  return { creators: creators.length, fields, accounts };
}

function hasValue(value: Creator[keyof Creator]): boolean {
  return value !== null && value !== false && (typeof value === 'boolean' || value.length > 0);
}
