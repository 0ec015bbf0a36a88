import {
  createKey,
  CreateKeyRequest,
  deleteKey,
  getKey,
  type KeyView,
  rotateKey,
  ServiceError,
  updateKey,
  UpdateKeyRequest,
} from '#contracts';
import { deriveApiKey, displayPrefix, hashApiKey, newToken } from '#platform';
import { Get, Inject, Post } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { API_ORIGIN } from '../../config/origins.js';
import { questionPage } from '../../components/question.js';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages, PostForm } from '../../rendering/pages.decorator.js';
import { isToken } from '../../sessions/cookies.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { lastDays } from '../../view/dates.js';
import { fieldProblem } from '../../view/form-fields.js';
import { done, doneText } from '../../view/forms.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { createdKeyPage, shownKeyPage } from './created-key.page.js';
import * as questions from './key-questions.js';
import { expiryField, lastDayOf, limitField, readExpiry, readLimit } from './key-limits.js';
import { keyDays, keysPage, withUsage } from './keys.page.js';
import { NewKeyCookie, newKeyPath } from './new-key.js';

const doneTexts: Readonly<Record<string, string>> = {
  renamed: 'Key renamed.',
  limits: 'Limits saved.',
  on: 'Key switched on. Calls with it work again.',
  off: 'Key switched off. Calls with it are refused within a second.',
  deleted: 'Key deleted. Calls with it are refused within a second.',
};

const nameProblem = { name: `Enter a name of 1 to ${questions.keyNameLengthMax} characters.` };

/** `/account/keys`: members create, rename, switch and delete the API keys of their account. */
@MemberPages(pagePaths.keys)
export class KeysController {
  constructor(
    @Inject(API_ORIGIN) private readonly origin: string,
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
    const said = doneText(member.fields, doneTexts);
    return keysPage({
      keys: withUsage(keys, usage, days),
      formId: newToken(),
      isSuspended: member.session.account.is_suspended === true,
      done: said,
    });
  }

  /**
   * The same form sent again is the same key with the same secret, whatever happened to the first answer: both follow from the
   * session and the form. The next page shows it, so that loading that page again creates nothing.
   */
  @PostForm('', { page: 'list', fields: ['name', expiryField] })
  async create(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const { name } = member.fields.read(CreateKeyRequest, nameProblem);
    const expires_at = readExpiry(member.fields, Date.now());
    const secret = deriveApiKey(member.token, JSON.stringify([readFormId(member), name, expires_at]));
    const hash = hashApiKey(secret);
    const { key } = await this.account.ask(member, createKey, {
      key_id: uuidv7(),
      name,
      ...(expires_at !== null && { expires_at }),
      // Of this very secret: another secret can never replace it.
      idempotency_key: hash,
      key_hash: hash,
      prefix: displayPrefix(secret),
      created_by: member.session.person_id,
    });
    this.newKey.set(member, key, secret);
    return new SeeOther(newKeyPath(key.id));
  }

  /** Shows a new key once; afterwards it says that it was shown. */
  @Get(':key_id/new')
  async showNew(@CurrentMember() member: MemberRequest): Promise<PageView> {
    const key = await this.find(member);
    const secret = this.newKey.take(member, key.id);
    return secret === undefined ? shownKeyPage(key) : createdKeyPage(key, secret, this.origin);
  }

  @Get(':key_id/name')
  async askName(@CurrentMember() member: MemberRequest): Promise<PageView> {
    return questionPage(questions.renameKey(await this.find(member)));
  }

  @PostForm(':key_id/name', { page: 'askName', fields: ['name'] })
  async rename(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    return this.update(member, member.fields.read(UpdateKeyRequest, nameProblem), 'renamed');
  }

  @Get(':key_id/rotate')
  async askToRotate(@CurrentMember() member: MemberRequest): Promise<PageView> {
    return questionPage(questions.rotateKey(await this.find(member), newToken()));
  }

  /** As for a new key, the same form sent again is the same secret. */
  @PostForm(':key_id/rotate', { page: 'askToRotate', fields: ['overlap_hours'] })
  async rotate(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const key_id = member.id('key_id');
    const overlap_hours = Number(member.fields.choice('overlap_hours', questions.overlapHours) ?? 24);
    const secret = deriveApiKey(member.token, JSON.stringify([readFormId(member), key_id, overlap_hours]));
    const hash = hashApiKey(secret);
    const key = await this.account.ask(member, rotateKey, {
      key_id,
      overlap_hours,
      rotation_id: uuidv7(),
      idempotency_key: hash,
      key_hash: hash,
      prefix: displayPrefix(secret),
    });
    this.newKey.set(member, key, secret);
    return new SeeOther(newKeyPath(key.id));
  }

  @Get(':key_id/limits')
  async askLimits(@CurrentMember() member: MemberRequest): Promise<PageView> {
    return questionPage(questions.limitKey(await this.find(member)));
  }

  /** A day that is left as it was leaves the expiry as it is, which operators can set to the millisecond. */
  @PostForm(':key_id/limits', { page: 'askLimits', fields: [expiryField, limitField] })
  async changeLimits(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const key = await this.find(member);
    const isSameDay = member.fields.text(expiryField) === lastDayOf(key.expires_at);
    const expiry = isSameDay ? {} : { expires_at: readExpiry(member.fields, Date.now()) };
    return this.update(member, { ...expiry, monthly_limit: readLimit(member.fields) }, 'limits');
  }

  @Post(':key_id/on')
  switchOn(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    return this.update(member, { active: true }, 'on');
  }

  @Post(':key_id/off')
  switchOff(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    return this.update(member, { active: false }, 'off');
  }

  @Get(':key_id/delete')
  async askToDelete(@CurrentMember() member: MemberRequest): Promise<PageView> {
    return questionPage(questions.deleteKey(await this.find(member)));
  }

  @PostForm(':key_id/delete', { page: 'askToDelete', fields: ['name'] })
  async delete(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const key = await this.find(member);
    if (collapsed(member.fields.text('name')) !== collapsed(key.name)) {
      throw fieldProblem('name', "The name doesn't match.");
    }
    await this.account.ask(member, deleteKey, { key_id: key.id });
    return done(pagePaths.keys, 'deleted');
  }

  private find(member: MemberRequest): Promise<KeyView> {
    return this.account.ask(member, getKey, { key_id: member.id('key_id') });
  }

  private async update(
    member: MemberRequest,
    change: Omit<UpdateKeyRequest, 'account_id' | 'key_id'>,
    code: string,
  ): Promise<FormResult> {
    await this.account.ask(member, updateKey, { key_id: member.id('key_id'), ...change });
    return done(pagePaths.keys, code);
  }
}

/** Random, and known only to the page that holds the form. */
function readFormId({ fields }: MemberRequest): string {
  const id = fields.text('form_id');
  if (isToken(id)) return id;
  throw new ServiceError('invalid_request', 'This form is incomplete. Reload the page and try again.');
}

/** As a page shows it. */
function collapsed(name: string): string {
  return name.trim().replace(/\s+/g, ' ');
}
