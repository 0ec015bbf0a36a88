-- The database of billing, as its migrations leave it. Written by `npm run docs`.

CREATE TABLE abandoned_calls (
  account_id uuid NOT NULL,
  day date NOT NULL,
  free integer NOT NULL,
  paid integer NOT NULL,
  paid_until timestamp(3) with time zone NOT NULL,
  CONSTRAINT abandoned_calls_pk PRIMARY KEY (account_id, day),
  CONSTRAINT abandoned_calls_free_not_negative CHECK ((free >= 0)),
  CONSTRAINT abandoned_calls_paid_not_negative CHECK ((paid >= 0))
);
CREATE INDEX abandoned_calls_age ON abandoned_calls USING btree (day);

CREATE TABLE accounts (
  id uuid NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  signed_up_from text,
  next_check_at timestamp(3) with time zone,
  suspended_at timestamp(3) with time zone,
  suspension_reason text,
  stripe_customer_id text,
  closed_at timestamp(3) with time zone,
  CONSTRAINT accounts_pk PRIMARY KEY (id),
  CONSTRAINT accounts_closed_suspended CHECK (((closed_at IS NULL) OR (suspended_at IS NOT NULL))),
  CONSTRAINT accounts_email_length CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
  CONSTRAINT accounts_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  CONSTRAINT accounts_suspension_whole CHECK (((suspended_at IS NULL) = (suspension_reason IS NULL)))
);
CREATE INDEX accounts_of_address ON accounts USING btree (email);
CREATE INDEX accounts_page ON accounts USING btree (created_at, id);
CREATE INDEX accounts_signed_up ON accounts USING btree (signed_up_from) WHERE (signed_up_from IS NOT NULL);
CREATE INDEX accounts_to_check ON accounts USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);

CREATE TABLE adjustments (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  credits integer NOT NULL,
  reason text NOT NULL,
  reference text NOT NULL,
  lot_id uuid,
  credits_remaining bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  order_id uuid,
  refunded_lot_id uuid,
  CONSTRAINT adjustments_pk PRIMARY KEY (id),
  CONSTRAINT adjustments_reference_unique UNIQUE (account_id, reference),
  CONSTRAINT adjustments_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT adjustments_lot_fk FOREIGN KEY (lot_id) REFERENCES lots(id),
  CONSTRAINT adjustments_lot_refund_fk FOREIGN KEY (refunded_lot_id) REFERENCES lot_refunds(lot_id),
  CONSTRAINT adjustments_order_fk FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT adjustments_balance_not_negative CHECK ((credits_remaining >= 0)),
  CONSTRAINT adjustments_credits_not_zero CHECK ((credits <> 0)),
  CONSTRAINT adjustments_lot_when_goodwill_or_order CHECK (
CASE
    WHEN (order_id IS NULL) THEN ((credits > 0) = (lot_id IS NOT NULL))
    ELSE (lot_id IS NOT NULL)
END),
  CONSTRAINT adjustments_reason_length CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  CONSTRAINT adjustments_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 200))),
  CONSTRAINT adjustments_refund_takes CHECK (((refunded_lot_id IS NULL) OR ((credits < 0) AND (lot_id IS NULL) AND (order_id IS NULL))))
);
CREATE INDEX adjustments_by_time ON adjustments USING btree (created_at);
CREATE INDEX adjustments_of_lot_refund ON adjustments USING btree (refunded_lot_id) WHERE (refunded_lot_id IS NOT NULL);
CREATE INDEX adjustments_of_order ON adjustments USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE TABLE admin_log (
  id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  token_id uuid,
  token_name text NOT NULL,
  action text NOT NULL,
  request_id text NOT NULL,
  account_id uuid,
  subject text NOT NULL,
  before jsonb,
  after jsonb,
  erased_at timestamp(3) with time zone,
  CONSTRAINT admin_log_pk PRIMARY KEY (id)
);
CREATE INDEX admin_log_of_account ON admin_log USING btree (account_id, id) WHERE (account_id IS NOT NULL);
CREATE INDEX admin_log_of_subject ON admin_log USING btree (subject, id);
CREATE TRIGGER admin_log_append_only BEFORE DELETE OR UPDATE ON admin_log FOR EACH ROW EXECUTE FUNCTION guard_admin_log();
CREATE TRIGGER admin_log_not_truncated BEFORE TRUNCATE ON admin_log FOR EACH STATEMENT EXECUTE FUNCTION guard_admin_log();

CREATE TABLE admin_tokens (
  id uuid NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  hash text NOT NULL,
  prefix text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone,
  withdrawn_at timestamp(3) with time zone,
  CONSTRAINT admin_tokens_pk PRIMARY KEY (id),
  CONSTRAINT admin_tokens_hash_unique UNIQUE (hash),
  CONSTRAINT admin_tokens_hash_shape CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT admin_tokens_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  CONSTRAINT admin_tokens_role_known CHECK ((role = ANY (ARRAY['all'::text, 'support'::text, 'import'::text, 'read'::text])))
);
CREATE UNIQUE INDEX admin_tokens_name_unique ON admin_tokens USING btree (name) WHERE (withdrawn_at IS NULL);

CREATE TABLE agreements (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  credits integer NOT NULL,
  price_cents bigint NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  grants integer NOT NULL DEFAULT 0,
  next_due_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  CONSTRAINT agreements_pk PRIMARY KEY (id),
  CONSTRAINT agreements_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT agreements_credits_min CHECK ((credits >= 10000)),
  CONSTRAINT agreements_due_until_ended CHECK (((ended_at IS NULL) = (next_due_at IS NOT NULL))),
  CONSTRAINT agreements_grants_positive CHECK ((grants >= 0)),
  CONSTRAINT agreements_price_positive CHECK ((price_cents > 0))
);
CREATE INDEX agreements_due ON agreements USING btree (next_due_at) WHERE (ended_at IS NULL);
CREATE INDEX agreements_of_account ON agreements USING btree (account_id);
CREATE UNIQUE INDEX agreements_one_running ON agreements USING btree (account_id) WHERE (ended_at IS NULL);

CREATE TABLE api_keys (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  prefix text NOT NULL,
  mode text NOT NULL DEFAULT 'live'::text,
  slot smallint NOT NULL,
  active boolean NOT NULL DEFAULT true,
  created_at timestamp(3) with time zone NOT NULL,
  deleted_at timestamp(3) with time zone,
  is_kept boolean NOT NULL DEFAULT false,
  created_by uuid,
  expires_at timestamp(3) with time zone,
  rotated_at timestamp(3) with time zone,
  previous_hash text,
  previous_prefix text,
  previous_valid_until timestamp(3) with time zone,
  monthly_limit integer,
  spent bigint,
  spent_since timestamp(3) with time zone,
  CONSTRAINT api_keys_pk PRIMARY KEY (id),
  CONSTRAINT api_keys_hash_unique UNIQUE (hash),
  CONSTRAINT api_keys_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT api_keys_person_fk FOREIGN KEY (created_by) REFERENCES people(id),
  CONSTRAINT api_keys_budget_whole CHECK ((((monthly_limit IS NULL) = (spent IS NULL)) AND ((monthly_limit IS NULL) = (spent_since IS NULL)))),
  CONSTRAINT api_keys_hash_shape CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT api_keys_mode_known CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT api_keys_mode_of_prefix CHECK (((starts_with(prefix, 'csk_test_'::text) = (mode = 'test'::text)) AND (starts_with(previous_prefix, 'csk_test_'::text) = (mode = 'test'::text)))),
  CONSTRAINT api_keys_monthly_limit_range CHECK (((monthly_limit >= 1) AND (monthly_limit <= 1000000000))),
  CONSTRAINT api_keys_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  CONSTRAINT api_keys_previous_whole CHECK ((((previous_hash IS NULL) = (previous_valid_until IS NULL)) AND ((previous_hash IS NULL) = (previous_prefix IS NULL)))),
  CONSTRAINT api_keys_slot_range CHECK (((slot >= 1) AND (slot <= 5))),
  CONSTRAINT api_keys_spent_not_negative CHECK ((spent >= 0)),
  CONSTRAINT api_keys_test_without_limit CHECK (((mode = 'live'::text) OR (monthly_limit IS NULL)))
);
CREATE INDEX api_keys_deleted ON api_keys USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (NOT is_kept));
CREATE INDEX api_keys_limited ON api_keys USING btree (spent_since) WHERE (monthly_limit IS NOT NULL);
CREATE INDEX api_keys_of_account ON api_keys USING btree (account_id, created_at);
CREATE INDEX api_keys_of_maker ON api_keys USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX api_keys_previous_hash ON api_keys USING btree (previous_hash) WHERE (previous_hash IS NOT NULL);
CREATE UNIQUE INDEX api_keys_slot_unique ON api_keys USING btree (account_id, slot) WHERE (deleted_at IS NULL);

CREATE TABLE audit_checkpoints (
  lot_id uuid NOT NULL,
  credits integer NOT NULL,
  CONSTRAINT audit_checkpoints_pk PRIMARY KEY (lot_id),
  CONSTRAINT audit_checkpoints_not_zero CHECK ((credits <> 0))
);

CREATE TABLE audits (
  id uuid NOT NULL,
  kind text NOT NULL,
  ended_at timestamp(3) with time zone NOT NULL,
  audited_until timestamp(3) with time zone,
  result jsonb,
  problem text,
  CONSTRAINT audits_pk PRIMARY KEY (id),
  CONSTRAINT audits_kind_known CHECK ((kind = ANY (ARRAY['hourly'::text, 'full'::text]))),
  CONSTRAINT audits_result_or_problem CHECK ((((result IS NULL) = (audited_until IS NULL)) AND ((result IS NULL) <> (problem IS NULL))))
);
CREATE INDEX audits_by_time ON audits USING btree (ended_at);

CREATE TABLE charge_tombstones (
  charge_id uuid NOT NULL,
  account_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT charge_tombstones_pk PRIMARY KEY (charge_id),
  CONSTRAINT charge_tombstones_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX charge_tombstones_age ON charge_tombstones USING btree (created_at);
CREATE INDEX charge_tombstones_of_account ON charge_tombstones USING btree (account_id);

CREATE TABLE charges (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  request_id text NOT NULL,
  operation text NOT NULL,
  credits integer NOT NULL,
  state text NOT NULL,
  refusal text,
  void_reason text,
  credits_remaining bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  pending_until timestamp(3) with time zone NOT NULL,
  settled_at timestamp(3) with time zone,
  filters text,
  total integer,
  idempotency_key_hash text,
  fingerprint text,
  repeat_of uuid,
  is_abandoned boolean NOT NULL DEFAULT false,
  CONSTRAINT charges_abandoned_once_taken CHECK (((NOT is_abandoned) OR ((state = ANY (ARRAY['posted'::text, 'voided'::text])) AND (credits > 0)))),
  CONSTRAINT charges_balance_not_negative CHECK ((credits_remaining >= 0)),
  CONSTRAINT charges_credits_not_negative CHECK ((credits >= 0)),
  CONSTRAINT charges_idempotency_whole CHECK (((idempotency_key_hash IS NULL) = (fingerprint IS NULL))),
  CONSTRAINT charges_operation_known CHECK ((operation = ANY (ARRAY['search'::text, 'profile'::text, 'profiles'::text]))),
  CONSTRAINT charges_reason_when_voided CHECK (((state = 'voided'::text) = (void_reason IS NOT NULL))),
  CONSTRAINT charges_refusal_known CHECK ((refusal = ANY (ARRAY['insufficient_credits'::text, 'key_limit_reached'::text, 'key_revoked'::text, 'idempotency_key_reused'::text, 'earlier_call_pending'::text]))),
  CONSTRAINT charges_refusal_when_refused CHECK (((state = 'refused'::text) = (refusal IS NOT NULL))),
  CONSTRAINT charges_repeat_free CHECK (((repeat_of IS NULL) OR ((credits = 0) AND (idempotency_key_hash IS NULL)))),
  CONSTRAINT charges_search_details CHECK (((operation = 'search'::text) OR (filters IS NULL))),
  CONSTRAINT charges_settled_unless_pending CHECK (((state = 'pending'::text) = (settled_at IS NULL))),
  CONSTRAINT charges_state_known CHECK ((state = ANY (ARRAY['pending'::text, 'posted'::text, 'voided'::text, 'refused'::text]))),
  CONSTRAINT charges_total_not_negative CHECK ((total >= 0)),
  CONSTRAINT charges_total_of_many CHECK (((operation <> 'profile'::text) OR (total IS NULL))),
  CONSTRAINT charges_void_reason_known CHECK ((void_reason = ANY (ARRAY['given_up'::text, 'timed_out'::text])))
) PARTITION BY LIST (state);

CREATE TABLE charges_default PARTITION OF charges_ended (
  CONSTRAINT charges_default_pk PRIMARY KEY (id)
) DEFAULT;
CREATE INDEX charges_default_account_id_created_at_idx ON charges_default USING btree (account_id, created_at);
CREATE INDEX charges_default_created_at_idx ON charges_default USING btree (created_at) WHERE ((credits = 0) AND (state = 'posted'::text));
CREATE INDEX charges_default_created_at_idx1 ON charges_default USING btree (created_at) WHERE (state = 'refused'::text);
CREATE INDEX charges_default_created_at_idx2 ON charges_default USING brin (created_at timestamptz_minmax_multi_ops) WITH (autosummarize='on');
CREATE INDEX charges_default_idempotency_key_hash_created_at_idx ON charges_default USING btree (idempotency_key_hash, created_at) WHERE ((idempotency_key_hash IS NOT NULL) AND (state = ANY (ARRAY['pending'::text, 'posted'::text])));
CREATE INDEX charges_default_key_id_created_at_idx ON charges_default USING btree (key_id, created_at);
CREATE INDEX charges_default_repeat_of_idx ON charges_default USING btree (repeat_of) WHERE (repeat_of IS NOT NULL);
CREATE INDEX charges_default_request_id_account_id_idx ON charges_default USING btree (request_id, account_id);
CREATE TRIGGER charges_kept BEFORE DELETE ON charges_default FOR EACH ROW WHEN (((old.credits > 0) AND (old.state <> 'refused'::text))) EXECUTE FUNCTION refuse_charge_removal();

CREATE TABLE charges_ended PARTITION OF charges (
  CONSTRAINT charges_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT charges_key_fk FOREIGN KEY (key_id) REFERENCES api_keys(id)
) FOR VALUES IN ('posted', 'voided', 'refused') PARTITION BY RANGE (created_at);
CREATE INDEX charges_by_time ON ONLY charges_ended USING brin (created_at timestamptz_minmax_multi_ops) WITH (autosummarize='on');
CREATE INDEX charges_free ON ONLY charges_ended USING btree (created_at) WHERE ((credits = 0) AND (state = 'posted'::text));
CREATE INDEX charges_idempotent ON ONLY charges_ended USING btree (idempotency_key_hash, created_at) WHERE ((idempotency_key_hash IS NOT NULL) AND (state = ANY (ARRAY['pending'::text, 'posted'::text])));
CREATE INDEX charges_of_account ON ONLY charges_ended USING btree (account_id, created_at);
CREATE INDEX charges_of_key ON ONLY charges_ended USING btree (key_id, created_at);
CREATE INDEX charges_of_request ON ONLY charges_ended USING btree (request_id, account_id);
CREATE INDEX charges_refused ON ONLY charges_ended USING btree (created_at) WHERE (state = 'refused'::text);
CREATE INDEX charges_repeats ON ONLY charges_ended USING btree (repeat_of) WHERE (repeat_of IS NOT NULL);
CREATE TRIGGER charges_kept BEFORE DELETE ON charges_ended FOR EACH ROW WHEN (((old.credits > 0) AND (old.state <> 'refused'::text))) EXECUTE FUNCTION refuse_charge_removal();

CREATE TABLE charges_pending PARTITION OF charges (
  CONSTRAINT charges_pending_pk PRIMARY KEY (id)
) FOR VALUES IN ('pending');
CREATE INDEX charges_pending_idempotent ON charges_pending USING btree (idempotency_key_hash, created_at) WHERE (idempotency_key_hash IS NOT NULL);
CREATE INDEX charges_pending_of_account ON charges_pending USING btree (account_id, pending_until);

CREATE TABLE deliveries (
  id uuid NOT NULL,
  notice_id uuid NOT NULL,
  account_id uuid NOT NULL,
  channel text NOT NULL,
  person_id uuid,
  state text NOT NULL DEFAULT 'waiting'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp(3) with time zone,
  problem text,
  created_at timestamp(3) with time zone NOT NULL,
  attempt_until timestamp(3) with time zone,
  CONSTRAINT deliveries_pk PRIMARY KEY (id),
  CONSTRAINT deliveries_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT deliveries_notice_fk FOREIGN KEY (notice_id) REFERENCES notices(id) ON DELETE CASCADE,
  CONSTRAINT deliveries_person_fk FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT deliveries_channel_known CHECK ((channel = ANY (ARRAY['mail'::text, 'webhook'::text]))),
  CONSTRAINT deliveries_person_of_mail CHECK (((channel = 'mail'::text) = (person_id IS NOT NULL))),
  CONSTRAINT deliveries_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'given_up'::text]))),
  CONSTRAINT deliveries_waiting_due CHECK (((state = 'waiting'::text) = (next_attempt_at IS NOT NULL)))
);
CREATE INDEX deliveries_in_progress ON deliveries USING btree (account_id, channel) WHERE (attempt_until IS NOT NULL);
CREATE INDEX deliveries_of_account ON deliveries USING btree (account_id, created_at);
CREATE INDEX deliveries_of_notice ON deliveries USING btree (notice_id);
CREATE INDEX deliveries_of_person ON deliveries USING btree (person_id) WHERE (person_id IS NOT NULL);
CREATE INDEX deliveries_waiting ON deliveries USING btree (channel, next_attempt_at) WHERE (state = 'waiting'::text);

CREATE TABLE free_calls (
  account_id uuid NOT NULL,
  day date NOT NULL,
  key_id uuid NOT NULL,
  operation text NOT NULL,
  calls integer NOT NULL,
  last_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT free_calls_pk PRIMARY KEY (account_id, day, key_id, operation),
  CONSTRAINT free_calls_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT free_calls_operation_known CHECK ((operation = ANY (ARRAY['search'::text, 'profile'::text, 'profiles'::text]))),
  CONSTRAINT free_calls_positive CHECK ((calls > 0))
);
CREATE INDEX free_calls_age ON free_calls USING btree (day);
CREATE INDEX free_calls_of_key ON free_calls USING btree (key_id, last_at);

CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key_hash text NOT NULL,
  fingerprint text NOT NULL,
  made_id uuid NOT NULL,
  answered_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pk PRIMARY KEY (scope, key_hash),
  CONSTRAINT idempotency_keys_fingerprint_shape CHECK ((fingerprint ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT idempotency_keys_hash_shape CHECK ((key_hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (answered_at);

CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id uuid NOT NULL,
  bound_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT identities_pk PRIMARY KEY (issuer, subject),
  CONSTRAINT identities_one_of_issuer UNIQUE (person_id, issuer),
  CONSTRAINT identities_person_fk FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);

CREATE TABLE invitations (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  email_folded text NOT NULL,
  mailbox text NOT NULL,
  role text NOT NULL,
  invited_by uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  CONSTRAINT invitations_pk PRIMARY KEY (id),
  CONSTRAINT invitations_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT invitations_person_fk FOREIGN KEY (invited_by) REFERENCES people(id),
  CONSTRAINT invitations_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text])))
);
CREATE INDEX invitations_age ON invitations USING btree (created_at);
CREATE INDEX invitations_of_account ON invitations USING btree (account_id, created_at);
CREATE INDEX invitations_of_address ON invitations USING btree (email_folded) WHERE (ended_at IS NULL);
CREATE INDEX invitations_of_inviter ON invitations USING btree (invited_by);
CREATE INDEX invitations_of_mailbox ON invitations USING btree (mailbox, created_at);
CREATE UNIQUE INDEX invitations_open ON invitations USING btree (account_id, email_folded) WHERE (ended_at IS NULL);

CREATE TABLE ledger_archives (
  name text NOT NULL,
  parent text NOT NULL,
  ends timestamp(3) with time zone NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  archived_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT ledger_archives_pk PRIMARY KEY (name),
  CONSTRAINT ledger_archives_bytes_positive CHECK ((bytes > 0)),
  CONSTRAINT ledger_archives_parent_known CHECK ((parent = ANY (ARRAY['ledger_entries'::text, 'charges_ended'::text]))),
  CONSTRAINT ledger_archives_rows_not_negative CHECK ((rows >= 0)),
  CONSTRAINT ledger_archives_sha256_shape CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE ledger_entries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  type text NOT NULL,
  credits integer NOT NULL,
  charge_id uuid,
  adjustment_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT ledger_entries_pk PRIMARY KEY (account_id, created_at, id),
  CONSTRAINT ledger_entries_adjustment_fk FOREIGN KEY (adjustment_id) REFERENCES adjustments(id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT ledger_entries_cause CHECK (
CASE type
    WHEN 'charge'::text THEN ((charge_id IS NOT NULL) AND (adjustment_id IS NULL))
    WHEN 'reversal'::text THEN ((charge_id IS NOT NULL) AND (adjustment_id IS NULL))
    WHEN 'expiry'::text THEN (adjustment_id IS NULL)
    WHEN 'adjustment'::text THEN ((charge_id IS NULL) AND (adjustment_id IS NOT NULL))
    ELSE ((charge_id IS NULL) AND (adjustment_id IS NULL))
END),
  CONSTRAINT ledger_entries_sign CHECK (
CASE type
    WHEN 'purchase'::text THEN (credits > 0)
    WHEN 'reversal'::text THEN (credits > 0)
    WHEN 'adjustment'::text THEN (credits <> 0)
    ELSE (credits < 0)
END),
  CONSTRAINT ledger_entries_type_known CHECK ((type = ANY (ARRAY['purchase'::text, 'charge'::text, 'reversal'::text, 'expiry'::text, 'adjustment'::text])))
) PARTITION BY RANGE (created_at);
CREATE INDEX ledger_entries_besides_charges ON ONLY ledger_entries USING btree (account_id, type, created_at, id) WHERE (type <> 'charge'::text);
CREATE INDEX ledger_entries_by_time ON ONLY ledger_entries USING brin (created_at) WITH (autosummarize='on');
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION apply_entries_to_lots();
CREATE TRIGGER ledger_entries_not_truncated BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

CREATE TABLE ledger_entries_default PARTITION OF ledger_entries (
  CONSTRAINT ledger_entries_default_pk PRIMARY KEY (account_id, created_at, id)
) DEFAULT;
CREATE INDEX ledger_entries_default_account_id_type_created_at_id_idx ON ledger_entries_default USING btree (account_id, type, created_at, id) WHERE (type <> 'charge'::text);
CREATE INDEX ledger_entries_default_created_at_idx ON ledger_entries_default USING brin (created_at) WITH (autosummarize='on');
CREATE UNIQUE INDEX ledger_entries_default_once_per_adjustment ON ledger_entries_default USING btree (adjustment_id, lot_id) WHERE (adjustment_id IS NOT NULL);
CREATE UNIQUE INDEX ledger_entries_default_once_per_charge ON ledger_entries_default USING btree (charge_id, lot_id, type) WHERE (charge_id IS NOT NULL);
CREATE UNIQUE INDEX ledger_entries_default_one_purchase ON ledger_entries_default USING btree (lot_id) WHERE (type = 'purchase'::text);

CREATE TABLE lot_refunds (
  lot_id uuid NOT NULL,
  account_id uuid NOT NULL,
  reason text NOT NULL,
  reference text NOT NULL,
  credits_taken_back integer NOT NULL,
  credits_not_recovered integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT lot_refunds_pk PRIMARY KEY (lot_id),
  CONSTRAINT lot_refunds_reference_unique UNIQUE (account_id, reference),
  CONSTRAINT lot_refunds_lot_fk FOREIGN KEY (lot_id, account_id) REFERENCES lots(id, account_id),
  CONSTRAINT lot_refunds_not_recovered_not_negative CHECK ((credits_not_recovered >= 0)),
  CONSTRAINT lot_refunds_reason_length CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  CONSTRAINT lot_refunds_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 200))),
  CONSTRAINT lot_refunds_taken_back_not_negative CHECK ((credits_taken_back >= 0))
);
CREATE INDEX lot_refunds_not_recovered ON lot_refunds USING btree (created_at) WHERE (credits_not_recovered > 0);

CREATE TABLE lots (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  pack text NOT NULL,
  reference text,
  credits integer NOT NULL,
  remaining integer NOT NULL DEFAULT 0,
  price_cents bigint NOT NULL,
  purchased_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  is_open boolean NOT NULL DEFAULT true,
  CONSTRAINT lots_pk PRIMARY KEY (id),
  CONSTRAINT lots_account_unique UNIQUE (id, account_id),
  CONSTRAINT lots_reference_unique UNIQUE (account_id, reference),
  CONSTRAINT lots_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT lots_credits_positive CHECK ((credits > 0)),
  CONSTRAINT lots_lifetime CHECK (((expires_at - purchased_at) = '30 days'::interval)),
  CONSTRAINT lots_pack_known CHECK ((pack = ANY (ARRAY['trial'::text, 'builder'::text, 'scale'::text, 'enterprise'::text, 'adjustment'::text]))),
  CONSTRAINT lots_price_not_negative CHECK ((price_cents >= 0)),
  CONSTRAINT lots_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 200))),
  CONSTRAINT lots_reference_unless_adjustment CHECK (((pack = 'adjustment'::text) = (reference IS NULL))),
  CONSTRAINT lots_remaining_range CHECK (((remaining >= 0) AND (remaining <= credits)))
);
CREATE INDEX lots_by_time ON lots USING btree (created_at);
CREATE INDEX lots_of_account ON lots USING btree (account_id, expires_at);
CREATE INDEX lots_to_expire ON lots USING btree (expires_at) WHERE is_open;
CREATE TRIGGER lots_guard BEFORE INSERT OR DELETE OR UPDATE ON lots FOR EACH ROW EXECUTE FUNCTION guard_lots();

CREATE TABLE members (
  account_id uuid NOT NULL,
  person_id uuid NOT NULL,
  role text NOT NULL,
  added_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone,
  CONSTRAINT members_pk PRIMARY KEY (account_id, person_id),
  CONSTRAINT members_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT members_person_fk FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT members_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text])))
);
CREATE INDEX members_of_person ON members USING btree (person_id);

CREATE TABLE notice_settings (
  account_id uuid NOT NULL,
  balance_threshold integer,
  is_threshold_chosen boolean NOT NULL DEFAULT false,
  notify_on_expiry boolean NOT NULL DEFAULT true,
  notify_on_payment boolean NOT NULL DEFAULT true,
  notify_by_email boolean NOT NULL DEFAULT true,
  webhook_url text,
  webhook_secret text,
  previous_webhook_secret text,
  previous_secret_until timestamp(3) with time zone,
  is_balance_low boolean NOT NULL DEFAULT false,
  balance_checked_at timestamp(3) with time zone NOT NULL,
  webhook_checks integer NOT NULL DEFAULT 0,
  webhook_checks_from timestamp(3) with time zone,
  CONSTRAINT notice_settings_pk PRIMARY KEY (account_id),
  CONSTRAINT notice_settings_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT notice_settings_previous_secret_whole CHECK (((previous_webhook_secret IS NULL) = (previous_secret_until IS NULL))),
  CONSTRAINT notice_settings_threshold_positive CHECK ((balance_threshold > 0)),
  CONSTRAINT notice_settings_webhook_length CHECK ((char_length(webhook_url) <= 2000)),
  CONSTRAINT notice_settings_webhook_whole CHECK (((webhook_url IS NULL) = (webhook_secret IS NULL)))
);
CREATE INDEX notice_settings_to_check ON notice_settings USING btree (balance_checked_at) WHERE (balance_threshold IS NOT NULL);

CREATE TABLE notices (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT notices_pk PRIMARY KEY (id),
  CONSTRAINT notices_once UNIQUE (account_id, kind, subject),
  CONSTRAINT notices_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT notices_kind_known CHECK ((kind = ANY (ARRAY['balance_low'::text, 'key_limit_near'::text, 'key_limit_reached'::text, 'lot_expiring'::text, 'payment_received'::text, 'test'::text, 'webhook_removed'::text])))
);
CREATE INDEX notices_age ON notices USING btree (created_at);

CREATE TABLE orders (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  person_id uuid NOT NULL,
  pack text NOT NULL,
  credits integer NOT NULL,
  price_cents integer NOT NULL,
  state text NOT NULL,
  checkout_session_id text,
  payment_intent_id text,
  lot_id uuid,
  ordered_at timestamp(3) with time zone NOT NULL,
  granted_at timestamp(3) with time zone,
  returned_cents integer NOT NULL DEFAULT 0,
  credits_taken_back integer NOT NULL DEFAULT 0,
  credits_not_recovered integer NOT NULL DEFAULT 0,
  refreshes integer NOT NULL DEFAULT 0,
  refresh_applied integer NOT NULL DEFAULT 0,
  checked_at timestamp(3) with time zone NOT NULL,
  checkout_url text,
  receipt_url text,
  viewed_at timestamp(3) with time zone,
  subtotal_cents integer,
  discount_cents integer,
  tax_cents integer,
  total_cents integer,
  answered_at timestamp(3) with time zone,
  checkout_attempts integer NOT NULL DEFAULT 1,
  returns_pending boolean NOT NULL DEFAULT false,
  problem text,
  problem_at timestamp(3) with time zone,
  resolution text,
  resolved_at timestamp(3) with time zone,
  problem_sessions text[] NOT NULL DEFAULT '{}'::text[],
  refund_attempts integer NOT NULL DEFAULT 0,
  is_dispute_lost boolean NOT NULL DEFAULT false,
  accepted_at timestamp(3) with time zone,
  invoice_number text,
  invoice_pending boolean NOT NULL DEFAULT false,
  CONSTRAINT orders_pk PRIMARY KEY (id),
  CONSTRAINT orders_checkout_session_unique UNIQUE (checkout_session_id),
  CONSTRAINT orders_lot_unique UNIQUE (lot_id),
  CONSTRAINT orders_payment_intent_unique UNIQUE (payment_intent_id),
  CONSTRAINT orders_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT orders_lot_fk FOREIGN KEY (lot_id, account_id) REFERENCES lots(id, account_id),
  CONSTRAINT orders_attempts_positive CHECK ((checkout_attempts > 0)),
  CONSTRAINT orders_credits_positive CHECK ((credits > 0)),
  CONSTRAINT orders_granted_whole CHECK ((((state = 'granted'::text) = (lot_id IS NOT NULL)) AND ((lot_id IS NULL) = (granted_at IS NULL)))),
  CONSTRAINT orders_not_recovered_rest CHECK ((credits_not_recovered =
CASE
    WHEN ((state = 'granted'::text) AND (COALESCE(total_cents, price_cents) > 0)) THEN GREATEST((0)::bigint, ((((credits)::bigint * returned_cents) / COALESCE(total_cents, price_cents)) - credits_taken_back))
    ELSE (0)::bigint
END)),
  CONSTRAINT orders_pack_known CHECK ((pack = ANY (ARRAY['trial'::text, 'builder'::text, 'scale'::text]))),
  CONSTRAINT orders_paid_whole CHECK ((((subtotal_cents IS NULL) = (total_cents IS NULL)) AND ((discount_cents IS NULL) = (total_cents IS NULL)) AND ((tax_cents IS NULL) = (total_cents IS NULL)))),
  CONSTRAINT orders_price_positive CHECK ((price_cents > 0)),
  CONSTRAINT orders_problem_whole CHECK ((((problem IS NULL) = (problem_at IS NULL)) AND ((problem IS NULL) = (problem_sessions = '{}'::text[])) AND ((resolution IS NULL) = (resolved_at IS NULL)) AND ((resolution IS NULL) OR (problem IS NOT NULL)))),
  CONSTRAINT orders_resolution_known CHECK ((resolution = ANY (ARRAY['granted'::text, 'refunded'::text]))),
  CONSTRAINT orders_returned_range CHECK ((((returned_cents >= 0) AND (returned_cents <= COALESCE(total_cents, price_cents))) AND ((returned_cents = 0) OR (state = ANY (ARRAY['in_review'::text, 'granted'::text, 'refunded'::text]))))),
  CONSTRAINT orders_review_has_problem CHECK (((state <> 'in_review'::text) OR ((problem IS NOT NULL) AND (resolution IS NULL)))),
  CONSTRAINT orders_state_known CHECK ((state = ANY (ARRAY['open'::text, 'processing'::text, 'in_review'::text, 'granted'::text, 'refunded'::text, 'expired'::text, 'failed'::text]))),
  CONSTRAINT orders_taken_back_range CHECK (((credits_taken_back >= 0) AND (credits_taken_back <= credits)))
);
CREATE INDEX orders_ended ON orders USING btree (ordered_at) WHERE (state = ANY (ARRAY['expired'::text, 'failed'::text]));
CREATE INDEX orders_invoice_pending ON orders USING btree (checked_at) WHERE invoice_pending;
CREATE INDEX orders_not_recovered ON orders USING btree (granted_at) WHERE (credits_not_recovered > 0);
CREATE INDEX orders_of_account ON orders USING btree (account_id, ordered_at, id);
CREATE INDEX orders_of_person ON orders USING btree (person_id);
CREATE INDEX orders_page ON orders USING btree (ordered_at, id);
CREATE INDEX orders_returns_pending ON orders USING btree (checked_at) WHERE returns_pending;
CREATE INDEX orders_to_review ON orders USING btree (problem_at) WHERE ((problem IS NOT NULL) AND (resolution IS NULL));
CREATE INDEX orders_unpaid ON orders USING btree (checked_at) WHERE (state = ANY (ARRAY['open'::text, 'processing'::text]));

CREATE TABLE payment_events (
  id text NOT NULL,
  type text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  source text NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  attempts integer NOT NULL DEFAULT 0,
  received_at timestamp(3) with time zone NOT NULL,
  next_attempt_at timestamp(3) with time zone,
  attempt_until timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  problem text,
  CONSTRAINT payment_events_pk PRIMARY KEY (id),
  CONSTRAINT payment_events_lengths CHECK (((length(id) <= 255) AND (length(type) <= 255) AND (length(subject_id) <= 255) AND (length(problem) <= 300))),
  CONSTRAINT payment_events_source_known CHECK ((source = ANY (ARRAY['webhook'::text, 'reconciliation'::text]))),
  CONSTRAINT payment_events_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'ignored'::text]))),
  CONSTRAINT payment_events_subject_known CHECK ((subject_kind = ANY (ARRAY['session'::text, 'payment'::text]))),
  CONSTRAINT payment_events_waiting_due CHECK ((((state = 'waiting'::text) = (next_attempt_at IS NOT NULL)) AND ((state = 'waiting'::text) = (ended_at IS NULL))))
);
CREATE INDEX payment_events_age ON payment_events USING btree (received_at);
CREATE INDEX payment_events_due ON payment_events USING btree (next_attempt_at) WHERE (state = 'waiting'::text);
CREATE INDEX payment_events_of_subject ON payment_events USING btree (subject_id, subject_kind) WHERE (state = 'waiting'::text);
CREATE INDEX payment_events_waiting ON payment_events USING btree (received_at) WHERE (state = 'waiting'::text);

CREATE TABLE people (
  id uuid NOT NULL,
  email_folded text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  next_check_at timestamp(3) with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  CONSTRAINT people_pk PRIMARY KEY (id),
  CONSTRAINT people_email_unique UNIQUE (email_folded),
  CONSTRAINT people_email_length CHECK (((char_length(email_folded) >= 3) AND (char_length(email_folded) <= 254)))
);
CREATE INDEX people_to_check ON people USING btree (next_check_at);

CREATE TABLE reconciliation_cursor (
  id boolean NOT NULL DEFAULT true,
  key_hash text,
  read_until timestamp(3) with time zone,
  CONSTRAINT reconciliation_cursor_pk PRIMARY KEY (id),
  CONSTRAINT reconciliation_cursor_one_row CHECK (id),
  CONSTRAINT reconciliation_cursor_whole CHECK (((key_hash IS NULL) = (read_until IS NULL)))
);

CREATE TABLE sessions (
  id uuid NOT NULL,
  token_hash text NOT NULL,
  person_id uuid NOT NULL,
  account_id uuid,
  network text NOT NULL,
  user_agent text NOT NULL,
  signed_in_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  method text NOT NULL,
  is_address_proven boolean NOT NULL DEFAULT true,
  CONSTRAINT sessions_pk PRIMARY KEY (id),
  CONSTRAINT sessions_token_hash_unique UNIQUE (token_hash),
  CONSTRAINT sessions_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT sessions_person_fk FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT sessions_method_known CHECK ((method = ANY (ARRAY['mail'::text, 'provider'::text, 'operator'::text]))),
  CONSTRAINT sessions_token_hash_shape CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX sessions_age ON sessions USING btree (expires_at);
CREATE INDEX sessions_of_account ON sessions USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX sessions_of_person ON sessions USING btree (person_id);

CREATE TABLE sign_ins (
  id uuid NOT NULL,
  email_folded text NOT NULL,
  link_hash text NOT NULL,
  code_hash text,
  browser_digest text,
  account_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  mailbox text,
  person_id uuid,
  CONSTRAINT sign_ins_pk PRIMARY KEY (id),
  CONSTRAINT sign_ins_link_hash_unique UNIQUE (link_hash),
  CONSTRAINT sign_ins_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT sign_ins_attempts_range CHECK (((attempts >= 0) AND (attempts <= 5))),
  CONSTRAINT sign_ins_browser_digest_shape CHECK ((browser_digest ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT sign_ins_code_hash_shape CHECK ((code_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT sign_ins_code_of_browser CHECK (((code_hash IS NULL) = (browser_digest IS NULL))),
  CONSTRAINT sign_ins_link_hash_shape CHECK ((link_hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX sign_ins_age ON sign_ins USING btree (created_at);
CREATE INDEX sign_ins_of_account ON sign_ins USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX sign_ins_of_address ON sign_ins USING btree (email_folded, created_at);
CREATE INDEX sign_ins_of_browser ON sign_ins USING btree (browser_digest, created_at) WHERE (browser_digest IS NOT NULL);
CREATE INDEX sign_ins_of_mailbox ON sign_ins USING btree (mailbox, created_at);
CREATE INDEX sign_ins_of_person ON sign_ins USING btree (person_id, created_at) WHERE (person_id IS NOT NULL);

CREATE OR REPLACE FUNCTION public.add_ledger_month(parent text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET lock_timeout TO '200ms'
 SET "TimeZone" TO 'UTC'
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  prefix text := replace(parent, '_ended', '');
  spare regclass;
  oldest timestamptz;
  newest timestamptz;
  month text;
BEGIN
  IF parent NOT IN ('ledger_entries', 'charges_ended') THEN
    RAISE EXCEPTION '% has no months', parent;
  END IF;
  PERFORM pg_advisory_xact_lock(4711011);
  SELECT nullif(partdefid, 0)::regclass INTO spare FROM pg_partitioned_table WHERE partrelid = parent::regclass;
  IF spare IS NULL THEN
    PERFORM create_ledger_partition(parent, prefix || '_default', 'DEFAULT');
    RETURN 1;
  END IF;
  EXECUTE format('SELECT min(created_at), max(created_at) FROM %s', spare) INTO oldest, newest;
  IF oldest IS NOT NULL THEN
    month := free_ledger_name(prefix || to_char(newest, '_YYYY_MM'));
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %s', parent, spare);
    EXECUTE format('ALTER TABLE %s RENAME TO %I', spare, month);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', parent, month, free_ledger_bounds(parent, oldest, newest));
    PERFORM create_ledger_partition(parent, prefix || '_default', 'DEFAULT');
    RETURN 1;
  END IF;
  oldest := ledger_months_until(parent);
  IF oldest > date_trunc('month', ledger_now()) + interval '3 months' THEN
    RETURN 0;
  END IF;
  PERFORM create_ledger_partition(parent, prefix || to_char(oldest, '_YYYY_MM'), free_ledger_bounds(parent, oldest, oldest));
  RETURN 1;
END $function$;

CREATE OR REPLACE FUNCTION public.add_ledger_months()
 RETURNS integer
 LANGUAGE sql
AS $function$
  SELECT add_ledger_month('ledger_entries') + add_ledger_month('charges_ended')
$function$;

CREATE OR REPLACE FUNCTION public.apply_entries_to_lots()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  account_ids uuid[];
  lot_ids uuid[];
  sums integer[];
  purchases timestamptz[];
  found_lots integer;
BEGIN
  SELECT array_agg(account_id), array_agg(lot_id), array_agg(credits), array_agg(purchased)
    INTO account_ids, lot_ids, sums, purchases
    FROM (
      SELECT account_id, lot_id, sum(credits)::integer AS credits,
        max(created_at) FILTER (WHERE type = 'purchase') AS purchased
      FROM inserted GROUP BY account_id, lot_id
    ) AS changes;
  UPDATE lots
    SET remaining = lots.remaining + change.credits, is_open = lots.is_open OR lots.remaining + change.credits > 0
    FROM unnest(account_ids, lot_ids, sums, purchases) AS change (account_id, lot_id, credits, purchased)
    WHERE lots.id = change.lot_id AND lots.account_id = change.account_id
      AND (change.purchased IS NULL OR change.purchased = lots.created_at);
  GET DIAGNOSTICS found_lots = ROW_COUNT;
  IF found_lots <> coalesce(cardinality(lot_ids), 0) THEN
    RAISE EXCEPTION 'an entry is of a lot of its account, and a purchase of the instant of its lot'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.create_ledger_partition(parent text, wanted text, bounds text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  partition text := free_ledger_name(wanted);
  columns text;
  suffix text;
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING CONSTRAINTS)', partition, parent);
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (%s)', partition, free_ledger_name(partition || '_pk'),
    CASE parent WHEN 'charges_ended' THEN 'id' ELSE 'account_id, created_at, id' END);
  IF parent = 'ledger_entries' THEN
    FOR suffix, columns IN VALUES
      ('_once_per_charge', '(charge_id, lot_id, type) WHERE charge_id IS NOT NULL'),
      ('_one_purchase', '(lot_id) WHERE type = ''purchase'''),
      ('_once_per_adjustment', '(adjustment_id, lot_id) WHERE adjustment_id IS NOT NULL')
    LOOP
      EXECUTE format('CREATE UNIQUE INDEX %I ON %I %s', free_ledger_name(partition || suffix), partition, columns);
    END LOOP;
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', parent, partition, bounds);
END $function$;

CREATE OR REPLACE FUNCTION public.erase_texts(value jsonb, texts text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
  DECLARE
    erased text := value::text;
    given text;
  BEGIN
    FOREACH given IN ARRAY texts LOOP
      erased := replace(erased, to_json(given)::text, '"erased"');
    END LOOP;
    RETURN erased::jsonb;
  END $function$;

CREATE OR REPLACE FUNCTION public.free_ledger_bounds(parent text, oldest timestamp with time zone, newest timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
AS $function$
  SELECT format('FOR VALUES FROM (%L) TO (%L)',
    greatest(date_trunc('month', oldest), max(ends) FILTER (WHERE ends <= oldest)),
    least(date_trunc('month', newest) + interval '1 month', min(starts) FILTER (WHERE starts > newest)))
  FROM ledger_months(parent::regclass)
$function$;

CREATE OR REPLACE FUNCTION public.free_ledger_name(wanted text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  name text := wanted;
  number integer := 1;
BEGIN
  WHILE to_regclass(quote_ident(name)) IS NOT NULL OR to_regtype(quote_ident(name)) IS NOT NULL LOOP
    number := number + 1;
    name := wanted || '_' || number;
  END LOOP;
  RETURN name;
END $function$;

CREATE OR REPLACE FUNCTION public.guard_admin_log()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE
    kept text[] := ARRAY['subject', 'before', 'after', 'erased_at'];
  BEGIN
    IF TG_OP <> 'UPDATE' THEN
      RAISE EXCEPTION 'admin_log is append-only';
    END IF;
    IF NEW.erased_at IS NULL OR to_jsonb(NEW) - kept <> to_jsonb(OLD) - kept THEN
      RAISE EXCEPTION 'admin_log is append-only: only personal data in it can be erased';
    END IF;
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION public.guard_lots()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  others record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.remaining <> 0 THEN
      RAISE EXCEPTION 'a lot opens with 0 credits: its first entry fills it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    others := NEW;
    IF pg_trigger_depth() >= 2 THEN
      others.remaining := OLD.remaining;
      others.is_open := OLD.is_open;
    ELSIF OLD.is_open AND NEW.remaining = 0 AND NEW.expires_at <= ledger_now() THEN
      others.is_open := OLD.is_open;
    END IF;
    IF others IS NOT DISTINCT FROM OLD THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'lots change only through ledger_entries' USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_months(parent regclass)
 RETURNS TABLE(starts timestamp with time zone, ends timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  SELECT coalesce((regexp_match(bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz, '-infinity'),
    coalesce((regexp_match(bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz, 'infinity')
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid, pg_get_expr(relpartbound, pg_class.oid) AS bound
  WHERE inhparent = parent AND bound <> 'DEFAULT'
$function$;

CREATE OR REPLACE FUNCTION public.ledger_months_until(parent regclass)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET "TimeZone" TO 'UTC'
AS $function$
DECLARE
  until timestamptz := least(date_trunc('month', ledger_now()), (SELECT min(ends) FROM ledger_months(parent)));
  further timestamptz;
BEGIN
  LOOP
    SELECT ends INTO further FROM ledger_months(parent) WHERE starts <= until AND until < ends;
    IF NOT FOUND THEN
      RETURN until;
    END IF;
    until := further;
  END LOOP;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$ SELECT date_trunc('milliseconds', clock_timestamp()) $function$;

CREATE OR REPLACE FUNCTION public.ledger_online_since()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(max(ends), '-infinity') FROM ledger_archives WHERE parent = 'ledger_entries'
$function$;

CREATE OR REPLACE FUNCTION public.ledger_rows_without_month()
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  spare regclass;
  found_rows bigint;
  total bigint := 0;
BEGIN
  FOR spare IN SELECT partdefid::regclass FROM pg_partitioned_table
    WHERE partrelid IN ('ledger_entries'::regclass, 'charges_ended'::regclass) AND partdefid <> 0
  LOOP
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %s LIMIT 1000) AS first_rows', spare) INTO found_rows;
    total := total + found_rows;
  END LOOP;
  RETURN total;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_charge_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'a charge that took credits is kept' USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'ledger_entries is append-only: correct with a new entry'
    USING ERRCODE = 'restrict_violation';
END $function$;
