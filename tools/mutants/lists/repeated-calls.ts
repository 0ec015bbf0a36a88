import { type Mutant } from '../mutant.js';
import { inFile, inFunction, inSql } from '../planting/fault.js';

const batch = 'apps/billing/src/ledger/rules/ledger-batch.ts';
const charges = 'apps/billing/src/ledger/charges/charge.repository.ts';
const calls = 'apps/billing/src/database/migrations/0006-calls.ts';
const callIndexes = 'apps/billing/src/database/migrations/0007-call-indexes.ts';
const byRules = ['apps/billing/src/ledger/rules/repeatable-charges.spec.ts'];
const byRepetitions = ['apps/billing/src/ledger/charges/repeated-calls.int-spec.ts'];
const repeatableCall = 'apps/gateway/src/charging/repeatable-call.ts';
const profile = 'apps/gateway/src/routes/get-creator-profile/get-creator-profile.controller.ts';
const byGateway = ['apps/gateway/src/charging/repeated-calls.int-spec.ts'];
const byUnchanged = ['apps/gateway/src/routes/get-creator-profile/unchanged-profile.int-spec.ts'];
const bySchema = ['apps/billing/src/database/schema.int-spec.ts'];

/** When a call under an `Idempotency-Key` is free. */
const rules: readonly Mutant[] = [
  {
    name: 'a repetition prolongs the time in which it is free',
    file: batch,
    fault: inFunction('decide').replace(
      'if ($EARLIER) return { ...$POSTED, credits: 0, repeatOf: $EARLIER.id };',
      'if ($EARLIER) return { ...$POSTED, credits: 0, repeatOf: $EARLIER.id, idempotency: idempotencyOf(request) };',
    ),
    killedBy: byRules,
  },
  {
    name: 'a call that cost nothing makes a later one free',
    file: batch,
    fault: inFunction('decide').replace(
      'if ($CREDITS === 0) return $POSTED;',
      'if ($CREDITS === 0) return { ...$POSTED, idempotency: idempotencyOf(request) };',
    ),
    killedBy: byRules,
  },
  {
    name: 'a call that was refused makes a later one free',
    file: batch,
    fault: inFunction('decide').replace(
      "return refused('insufficient_credits');",
      "return { ...refused('insufficient_credits'), idempotency: idempotencyOf(request) };",
    ),
    killedBy: byRules,
  },
  {
    name: 'a repetition is free while its call is pending',
    file: batch,
    fault: inFunction('decide').remove("if ($EARLIER?.state === 'pending') $REFUSED;"),
    killedBy: byRules,
  },
];

/** How the call that it repeats is stored and found. */
const storage: readonly Mutant[] = [
  {
    name: 'a call is paid again while the first one is pending',
    file: charges,
    fault: inSql("state IN ('pending', 'posted') AND created_at").replaceWith(
      "state = 'posted' AND created_at",
    ),
    killedBy: byRepetitions,
    test: 'at once under one Idempotency-Key',
  },
  {
    name: 'calls that were given up are read with a paid one',
    file: charges,
    fault: inSql("state IN ('pending', 'posted') AND created_at").replaceWith('created_at'),
    killedBy: byRepetitions,
    test: 'by its index',
  },
  {
    name: 'a paid call is forgotten while charges are read',
    file: charges,
    fault: inFile.replace('repeatableMs + clockLeewayMs', 'repeatableMs'),
    killedBy: byRepetitions,
    test: 'clock of the lock',
  },
  {
    name: 'of two paid calls the older one is found',
    file: charges,
    fault: inSql('ORDER BY created_at DESC LIMIT 1').replaceWith('ORDER BY created_at LIMIT 1'),
    killedBy: byRepetitions,
    test: '15 minutes',
  },
  {
    name: 'the calls of a batch but one are looked for in vain',
    file: charges,
    fault: inSql('FROM unnest($1::text[]) AS calls').replaceWith('FROM unnest($1[1:1]::text[]) AS calls'),
    killedBy: byRepetitions,
    test: 'in one batch',
  },
  {
    name: 'a charge loses its Idempotency-Key',
    file: charges,
    fault: inFile.replace('$CHARGE.idempotency?.keyHash ?? null', 'null'),
    killedBy: byRepetitions,
    test: '15 minutes',
  },
  {
    name: 'an Idempotency-Key is looked for in all charges',
    file: callIndexes,
    fault: inSql('charges (idempotency_key_hash, created_at)').replaceWith('charges (created_at)'),
    killedBy: byRepetitions,
    test: 'by its index',
  },
  {
    name: 'an Idempotency-Key is looked for among the calls that were given up',
    file: callIndexes,
    fault: inSql("AND state IN ('pending', 'posted')").remove(),
    killedBy: byRepetitions,
    test: 'by its index',
  },
  {
    name: 'a repetition may cost something',
    file: calls,
    fault: inSql('(credits = 0 AND idempotency_key_hash IS NULL)').replaceWith(
      'idempotency_key_hash IS NULL',
    ),
    killedBy: bySchema,
  },
];

/** What the gateway tells billing of a call, and what it makes of the reply. */
const calling: readonly Mutant[] = [
  {
    name: 'an Idempotency-Key belongs to everybody',
    file: repeatableCall,
    fault: inFunction('repeatableCall').replace('sha256(`${$KEY.key_id} ${$NAME}`)', 'sha256($NAME)'),
    killedBy: byGateway,
  },
  {
    name: 'a search with other filters is the same call',
    file: 'apps/gateway/src/routes/search-creators/search-creators.controller.ts',
    fault: inFunction('search').replace(
      "repeatableCall($REQUEST, $CALL, 'search', $SEARCH)",
      "repeatableCall($REQUEST, $CALL, 'search', {})",
    ),
    killedBy: byGateway,
  },
  {
    name: 'a search and a profile are the same call',
    file: repeatableCall,
    fault: inFunction('repeatableCall').replace(
      'JSON.stringify([$OPERATION, $PARAMETERS])',
      'JSON.stringify($PARAMETERS)',
    ),
    killedBy: byGateway,
  },
  {
    name: 'a repetition is settled although it took nothing',
    file: 'apps/gateway/src/charging/metering.service.ts',
    fault: inFunction('MeteringService.charge').remove('if ($USED === 0) open.nothingTaken();'),
    killedBy: byGateway,
  },
];

/** What becomes of a profile that the client has already. */
const unchanged: readonly Mutant[] = [
  {
    name: 'an unchanged profile costs its price',
    file: profile,
    fault: inFunction('show').replace('$UNCHANGED ? { credits: 0 } : {}', '{}'),
    killedBy: byUnchanged,
  },
  {
    name: 'a changed profile is free',
    file: profile,
    fault: inFunction('show').replace('this.tags.isNamed($HEADER, etag)', '$HEADER !== undefined'),
    killedBy: byUnchanged,
  },
  {
    name: 'the key of a call for an unchanged profile is not checked again',
    file: profile,
    fault: inFunction('show').replace(
      'const price = $PRICE;',
      'if (isUnchanged) return void reply.code(304).send(); $MATCH',
    ),
    killedBy: byUnchanged,
  },
  {
    name: 'who has not paid for a profile gets its tag',
    file: profile,
    fault: inFunction('show').replace('const etag = $TAG;', "$MATCH void reply.header('etag', etag);"),
    killedBy: byUnchanged,
  },
];

export const repeatedCalls: readonly Mutant[] = [...rules, ...storage, ...calling, ...unchanged];
