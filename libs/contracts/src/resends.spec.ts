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
  getUsage: 'sent again',
  listPacks: 'sent again',
  getProfile: 'sent again',
  getCreator: 'sent again',
  searchCreators: 'sent again',
  // What has one outcome, by an id, a reference or a key of the caller's.
  createAccount: 'sent again',
  createKey: 'sent again',
  purchase: 'sent again',
  adjust: 'sent again',
  charge: 'sent again',
  settle: 'sent again',
  finishImport: 'sent again',
  // What would undo a newer change when it is applied late.
  updateKey: 'never sent again',
  deleteKey: 'never sent again',
  startAgreement: 'never sent again',
  endAgreement: 'never sent again',
  putCreator: 'never sent again',
  publishCreator: 'never sent again',
  deleteCreator: 'never sent again',
  // What takes so long that a second delivery would only add to it.
  auditLedger: 'never sent again',
  importChunk: 'never sent again',
};

it('each message is sent a second time only where that was found harmless', () => {
  const declared = Object.entries(contracts).flatMap(([name, value]) =>
    typeof value === 'object' && 'resendAfterMs' in value && 'pattern' in value
      ? [[name, value.resendAfterMs === null ? 'never sent again' : 'sent again'] as const]
      : [],
  );
  expect(Object.fromEntries(declared)).toEqual(decided);
});
