const grantReferencePrefix = 'agreement:';

/** The reference under which a due date is granted: once, whoever grants it. */
export function grantReference(agreementId: string, due: Date): string {
  return `${grantReferencePrefix}${agreementId}:${due.toISOString().slice(0, 10)}`;
}

/** References of this form belong to grants: a purchase under the reference of a due date would take its place. */
export function isGrantReference(reference: string): boolean {
  return reference.startsWith(grantReferencePrefix);
}
