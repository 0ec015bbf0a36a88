import {
  createKey,
  CreateKeyRequest,
  deleteKey,
  getKey,
  type KeyMode,
  keyModes,
  type KeyView,
  rotateKey,
  ServiceError,
  updateKey,
  UpdateKeyRequest,
} from '#contracts';
import { deriveApiKey, displayPrefix, hashApiKey } from '#platform';
import { Get, Post } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages, PostForm } from '../../rendering/pages.decorator.js';
import { isToken } from '../../sessions/cookies.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { lastDays } from '../../view/dates.js';
import { fieldProblem } from '../../view/form-fields.js';
import { done } from '../../view/forms.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { createdKeyPage } from './created-key.page.js';
import { expiryField, lastDayOf, limitField, readExpiry, readLimit } from './key-limits.js';
import { keyDays, keyNameLengthMax, keysPage, overlapHours } from './keys.page.js';
import { NewKeyCookie, newKeyPath } from './new-key.js';

const nameProblem = { name: `Enter a name of 1 to ${keyNameLengthMax} characters.` };

/** `/account/keys`: members create, rename, switch and delete the API keys of their account. */
@MemberPages(pagePaths.keys)
export class KeysController {
  constructor(
    private readonly account: AccountData,
    private readonly newKey: NewKeyCookie,
  ) {}

  @Get()
  async list(@CurrentMember() member: MemberRequest): Promise<PageView> {
    const days = lastDays(keyDays, Date.now());
    const [keys, usage] = await Promise.all([
      this.account.keys(member),
      this.account.usage(member, days[0], days.at(-1)),
    ]);
    return keysPage({
      keys: [...keys].sort((one, other) => (other.last_used_at ?? '').localeCompare(one.last_used_at ?? '')),
      usage,
      isSuspended: member.session.account.is_suspended === true,
    });
  }

  /**
   * A form that is sent twice creates one key with one secret, whatever happened to the first answer: both follow from the
   * session and the form. The next page shows it, so that loading that page again creates nothing.
   */
  @PostForm('', { page: 'list', fields: ['name', expiryField, limitField, 'mode'] })
  async create(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const { name } = member.fields.read(CreateKeyRequest, nameProblem);
    const expires_at = readExpiry(member.fields, Date.now());
    const mode = member.fields.choice('mode', keyModes) ?? 'live';
    // A test key spends no credits, so it has no limit.
    const monthly_limit = mode === 'live' ? readLimit(member.fields) : null;
    const { secret, ...made } = secretOf(member, mode, name, expires_at, monthly_limit);
    const { key } = await this.account.ask(member, createKey, {
      key_id: uuidv7(),
      name,
      mode,
      ...(expires_at !== null && { expires_at }),
      ...(monthly_limit !== null && { monthly_limit }),
      ...made,
      created_by: member.session.person_id,
    });
    this.newKey.set(member, key, secret);
    return new SeeOther(newKeyPath(key.id));
  }

  /** Shows a new key once; afterwards it says that it was shown. */
  @Get(':key_id/new')
  async showNew(@CurrentMember() member: MemberRequest): Promise<PageView> {
    const key = await this.find(member);
    return createdKeyPage(key, this.newKey.take(member, key.id));
  }

  /** Rotates a key; a form that is sent twice makes one secret, as for a new key. */
  @PostForm(':key_id/rotate', { page: 'list' })
  async rotate(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const key_id = member.id('key_id');
    const overlap_hours = Number(member.fields.choice('overlap_hours', overlapHours) ?? 24);
    const { mode } = await this.find(member);
    const { secret, ...made } = secretOf(member, mode, key_id, overlap_hours);
    const rotation = { key_id, overlap_hours, rotation_id: uuidv7(), ...made };
    const key = await this.account.ask(member, rotateKey, rotation);
    this.newKey.set(member, key, secret);
    return new SeeOther(newKeyPath(key.id));
  }

  /** A day that is left as it was leaves the expiry as it is, which operators can set to the millisecond. */
  @PostForm(':key_id/change', { page: 'list', fields: ['name', expiryField, limitField] })
  async change(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const key = await this.find(member);
    const isSameDay = member.fields.text(expiryField) === lastDayOf(key.expires_at);
    const change = {
      ...member.fields.read(UpdateKeyRequest, nameProblem),
      ...(isSameDay ? {} : { expires_at: readExpiry(member.fields, Date.now()) }),
      // The form of a test key has no limit.
      ...(key.mode === 'live' && { monthly_limit: readLimit(member.fields) }),
    };
    return this.update(member, change, 'key-changed');
  }

  @Post(':key_id/on')
  switchOn(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    return this.update(member, { active: true }, 'key-on');
  }

  @Post(':key_id/off')
  switchOff(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    return this.update(member, { active: false }, 'key-off');
  }

  @PostForm(':key_id/delete', { page: 'list', fields: ['name'] })
  async delete(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const key = await this.find(member);
    if (collapsed(member.fields.text('name')) !== collapsed(key.name)) {
      throw fieldProblem('name', "The name doesn't match.");
    }
    await this.account.ask(member, deleteKey, { key_id: key.id });
    return done(pagePaths.keys, 'key-deleted');
  }

  private find(member: MemberRequest): Promise<KeyView> {
    return this.account.ask(member, getKey, { key_id: member.id('key_id') });
  }

  private async update(
    member: MemberRequest,
    change: Omit<UpdateKeyRequest, 'account_id' | 'key_id'>,
    code: 'key-changed' | 'key-on' | 'key-off',
  ): Promise<FormResult> {
    await this.account.ask(member, updateKey, { key_id: member.id('key_id'), ...change });
    return done(pagePaths.keys, code);
  }
}

/**
 * The secret that follows from the session and the form, whose random id only its page knows, and from what was typed. Its hash
 * names the form for billing too: no other secret can replace it.
 */
function secretOf({ token, fields }: MemberRequest, mode: KeyMode, ...typed: unknown[]) {
  const id = fields.text('form_id');
  if (!isToken(id)) {
    throw new ServiceError('invalid_request', 'This form is incomplete. Reload the page and try again.');
  }
  const secret = deriveApiKey(token, JSON.stringify([id, ...typed]), mode);
  const hash = hashApiKey(secret);
  return { secret, idempotency_key: hash, key_hash: hash, prefix: displayPrefix(secret) };
}

/** Returns a name as a page shows it. */
function collapsed(name: string): string {
  return name.trim().replace(/\s+/g, ' ');
}
