import * as contracts from './index.js';

/** By name, whether an unanswered message is sent a second time. */
const decided: Record<string, 'sent again' | 'never sent again'> = {
  // What reads.
  listAccounts: 'sent again',
  getAccount: 'sent again',
  getBalance: 'sent again',
  authenticateKeys: 'sent again',
  listKeys: 'sent again',
  getKey: 'sent again',
  listLedger: 'sent again',
  listStatement: 'sent again',
  getUsage: 'sent again',
  listCalls: 'sent again',
  listPacks: 'sent again',
  listMembers: 'sent again',
  listInvitations: 'sent again',
  getNotices: 'sent again',
  listDeliveries: 'sent again',
  getSession: 'sent again',
  getSignInRules: 'sent again',
  findSessions: 'sent again',
  listSessions: 'sent again',
  getProfile: 'sent again',
  getCreator: 'sent again',
  searchCreators: 'sent again',
  lookUpAccounts: 'sent again',
  listFilters: 'sent again',
  listOrders: 'sent again',
  listOrderReviews: 'sent again',
  getOrderReview: 'sent again',
  describeSelling: 'sent again',
  describeSignIn: 'sent again',
  // What has one outcome, by an id, a reference or a key of the caller's.
  createAccount: 'sent again',
  createKey: 'sent again',
  purchase: 'sent again',
  adjust: 'sent again',
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
  // What would undo a newer change when it is applied late.
  updateKey: 'never sent again',
  deleteKey: 'never sent again',
  changeMember: 'never sent again',
  changeNotices: 'never sent again',
  removeMember: 'never sent again',
  renameAccount: 'never sent again',
  revokeInvitation: 'never sent again',
  answerInvitation: 'never sent again',
  openAccount: 'never sent again',
  leaveAccount: 'never sent again',
  switchAccount: 'never sent again',
  joinAccount: 'never sent again',
  changeSignInRules: 'never sent again',
  setSignInRules: 'never sent again',
  forgetIdentities: 'never sent again',
  startAgreement: 'never sent again',
  endAgreement: 'never sent again',
  putCreator: 'never sent again',
  publishCreator: 'never sent again',
  deleteCreator: 'never sent again',
  resolveOrder: 'never sent again',
  acceptOrder: 'never sent again',
  // Whose second reply would be another one.
  retryPaymentEvents: 'never sent again',
  // What takes so long that a second delivery would only add to it.
  auditLedger: 'never sent again',
  importChunk: 'never sent again',
  refreshOrder: 'never sent again',
  refundOrder: 'never sent again',
  takePaymentEvent: 'sent again',
};

it('each message is sent a second time only where that was found harmless', () => {
  const declared = Object.entries(contracts).flatMap(([name, value]) =>
    typeof value === 'object' && 'resendAfterMs' in value && 'pattern' in value
      ? [[name, value.resendAfterMs === null ? 'never sent again' : 'sent again'] as const]
      : [],
  );
  expect(Object.fromEntries(declared)).toEqual(decided);
});
