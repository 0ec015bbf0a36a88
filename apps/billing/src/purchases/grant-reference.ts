const grantReferencePrefix = 'agreement:';

/** The reference of the grant for a due date, which makes it unique. */
export function grantReference(agreementId: string, due: Date): string {
  return `${grantReferencePrefix}${agreementId}:${due.toISOString().slice(0, 10)}`;
}

/**
 * References of this form are reserved for grants: a purchase with the reference of a due date would replace its grant.
 */
export function isGrantReference(reference: string): boolean {
  return reference.startsWith(grantReferencePrefix);
}
