import * as contracts from './index.js';

/** These messages only read, so a second delivery is harmless. */
const reads = /\.(?:authenticate|describe|find|get|list|look_up|search)(?:_|$)/;

/** For each message that changes something, whether it is sent a second time when it is not answered. */
const decided: Record<string, 'sent again' | 'never sent again'> = {
  // These have one outcome, by an id, a reference or a key of the caller.
  createAccount: 'sent again',
  withdrawAdminToken: 'sent again',
  createKey: 'sent again',
  rotateKey: 'sent again',
  purchase: 'sent again',
  adjust: 'sent again',
  refundLot: 'sent again',
  charge: 'sent again',
  settle: 'sent again',
  inviteMember: 'sent again',
  testNotice: 'sent again',
  requestSignIn: 'sent again',
  finishSignInByLink: 'sent again',
  finishSignInByCode: 'sent again',
  signInWithIdentity: 'sent again',
  createSignInLink: 'sent again',
  endSession: 'sent again',
  finishImport: 'sent again',
  startOrder: 'sent again',
  repeatErasure: 'sent again',
  // These would undo a newer change when applied late.
  createAdminToken: 'never sent again',
  updateKey: 'never sent again',
  deleteKey: 'never sent again',
  changeMember: 'never sent again',
  changeNotices: 'never sent again',
  removeMember: 'never sent again',
  renameAccount: 'never sent again',
  suspendAccount: 'never sent again',
  resumeAccount: 'never sent again',
  updateAccount: 'never sent again',
  revokeInvitation: 'never sent again',
  answerInvitation: 'never sent again',
  openAccount: 'never sent again',
  leaveAccount: 'never sent again',
  switchAccount: 'never sent again',
  forgetIdentities: 'never sent again',
  erasePerson: 'never sent again',
  startAgreement: 'never sent again',
  endAgreement: 'never sent again',
  putCreator: 'never sent again',
  publishCreator: 'never sent again',
  deleteCreator: 'never sent again',
  removeCreator: 'never sent again',
  readmitCreator: 'never sent again',
  resolveOrder: 'never sent again',
  acceptOrder: 'never sent again',
  // The second reply would differ.
  retryPaymentEvents: 'never sent again',
  // These take so long that a second delivery would only add load.
  auditLedger: 'never sent again',
  importChunk: 'never sent again',
  compareChunk: 'never sent again',
  refreshOrder: 'never sent again',
  refundOrder: 'never sent again',
  takePaymentEvent: 'sent again',
};

const messages = Object.entries(contracts).filter(
  ([, value]) => typeof value === 'object' && 'resendAfterMs' in value && 'pattern' in value,
) as [string, contracts.MessageContract<unknown, unknown>][];

it('a message that only reads is sent a second time', () => {
  const reading = messages.filter(([, { pattern }]) => reads.test(pattern));
  expect(reading.length).toBeGreaterThan(25);
  expect(reading.filter(([, { resendAfterMs }]) => resendAfterMs === null)).toEqual([]);
});

it('a message that changes something is sent a second time only where that is harmless', () => {
  const changing = messages.filter(([, { pattern }]) => !reads.test(pattern));
  const declared = changing.map(([name, { resendAfterMs }]) => [
    name,
    resendAfterMs === null ? 'never sent again' : 'sent again',
  ]);
  expect(Object.fromEntries(declared)).toEqual(decided);
});
