import { createKey, deleteKey, getKey, type KeyView, ServiceError, updateKey } from '@app/contracts';
import { CONFIG, deriveApiKey, displayPrefix, hashApiKey, newToken } from '@app/platform';
import { Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { publicOrigin, type PublicOriginConfig } from '../../../config/public-origin.js';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { isToken } from '../../sessions/cookies.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { lastDays } from '../../view/dates.js';
import {
  donePath,
  doneText,
  fieldProblem,
  Form,
  type FormFields,
  Parameters,
  readId,
  submit,
} from '../../view/forms.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { createdKeyPage, shownKeyPage } from './created-key.page.js';
import { deleteKeyPage, keyNameLengthMax, renameKeyPage } from './key-dialogs.js';
import { keyDays, keysPage, withUsage } from './keys.page.js';
import { NewKeyCookie, newKeyPath } from './new-key.js';

const doneTexts: Readonly<Record<string, string>> = {
  renamed: 'Key renamed.',
  on: 'Key switched on. Calls with it are answered again.',
  off: 'Key switched off. Calls with it are refused within a second.',
  deleted: 'Key deleted. Calls with it are refused within a second.',
};

/** `/account/keys`: members create, rename, switch and delete the API keys of their account. */
@MemberPages(pagePaths.keys)
export class KeysController {
  private readonly origin: string;

  constructor(
    @Inject(CONFIG) config: PublicOriginConfig,
    private readonly account: AccountData,
    private readonly newKey: NewKeyCookie,
  ) {
    this.origin = publicOrigin(config);
  }

  @Get()
  list(@CurrentMember() member: MemberRequest, @Parameters() parameters: FormFields): Promise<PageView> {
    return this.page(member, doneText(parameters, doneTexts));
  }

  /**
   * The same form sent again is the same key with the same secret, whatever happened to the first answer: both follow from the
   * session and the form. The next page shows it, so that loading that page again creates nothing.
   */
  @Post()
  create(
    @CurrentMember() member: MemberRequest,
    @Form() form: FormFields,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FormResult> {
    const page = (): Promise<PageView> => this.page(member);
    return submit({ form, page, fields: ['name'] }, async () => {
      const name = readName(form);
      const secret = deriveApiKey(member.token, JSON.stringify([readFormId(form), name]));
      const hash = hashApiKey(secret);
      const { key } = await this.account.ask(member, createKey, {
        key_id: uuidv7(),
        name,
        // Of this very secret: another secret can never replace it.
        idempotency_key: hash,
        key_hash: hash,
        prefix: displayPrefix(secret),
        created_by: member.session.person_id,
      });
      this.newKey.set(reply, member, key, secret);
      return newKeyPath(key.id);
    });
  }

  /** Shows a new key once; afterwards it says that it was shown. */
  @Get(':key_id/new')
  async showNew(
    @CurrentMember() member: MemberRequest,
    @Param('key_id') keyId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageView> {
    const key = await this.find(member, keyId);
    const secret = this.newKey.take(request, reply, member, key.id);
    return secret === undefined ? shownKeyPage(key) : createdKeyPage(key.name, secret, this.origin);
  }

  @Get(':key_id/name')
  async askName(@CurrentMember() member: MemberRequest, @Param('key_id') keyId: string): Promise<PageView> {
    return renameKeyPage(await this.find(member, keyId));
  }

  @Post(':key_id/name')
  rename(
    @CurrentMember() member: MemberRequest,
    @Param('key_id') keyId: string,
    @Form() form: FormFields,
  ): Promise<FormResult> {
    const page = async (): Promise<PageView> => renameKeyPage(await this.find(member, keyId));
    return submit({ form, page, fields: ['name'] }, async () => {
      await this.update(member, keyId, { name: readName(form) });
      return donePath(pagePaths.keys, 'renamed');
    });
  }

  @Post(':key_id/on')
  async switchOn(@CurrentMember() member: MemberRequest, @Param('key_id') keyId: string): Promise<SeeOther> {
    await this.update(member, keyId, { active: true });
    return new SeeOther(donePath(pagePaths.keys, 'on'));
  }

  @Post(':key_id/off')
  async switchOff(@CurrentMember() member: MemberRequest, @Param('key_id') keyId: string): Promise<SeeOther> {
    await this.update(member, keyId, { active: false });
    return new SeeOther(donePath(pagePaths.keys, 'off'));
  }

  @Get(':key_id/delete')
  async askToDelete(
    @CurrentMember() member: MemberRequest,
    @Param('key_id') keyId: string,
  ): Promise<PageView> {
    return deleteKeyPage(await this.find(member, keyId));
  }

  @Post(':key_id/delete')
  async delete(
    @CurrentMember() member: MemberRequest,
    @Param('key_id') keyId: string,
    @Form() form: FormFields,
  ): Promise<FormResult> {
    const key = await this.find(member, keyId);
    return submit({ form, page: () => deleteKeyPage(key), fields: ['name'] }, async () => {
      if (collapsed(form.text('name')) !== collapsed(key.name)) {
        throw fieldProblem('name', "The name doesn't match.");
      }
      await this.account.ask(member, deleteKey, { key_id: key.id });
      return donePath(pagePaths.keys, 'deleted');
    });
  }

  private find(member: MemberRequest, keyId: string): Promise<KeyView> {
    return this.account.ask(member, getKey, { key_id: readId(keyId) });
  }

  private update(
    member: MemberRequest,
    keyId: string,
    change: { name?: string; active?: boolean },
  ): Promise<KeyView> {
    return this.account.ask(member, updateKey, { key_id: readId(keyId), ...change });
  }

  private async page(member: MemberRequest, done?: string): Promise<PageView> {
    const days = lastDays(keyDays, Date.now());
    const [keys, usage] = await Promise.all([
      this.account.keys(member),
      this.account.usage(member, days[0], days.at(-1)),
    ]);
    return keysPage({ keys: withUsage(keys, usage, days), formId: newToken(), done });
  }
}

/** Random, and known only to the page that holds the form. */
function readFormId(form: FormFields): string {
  const id = form.text('form_id');
  if (isToken(id)) return id;
  throw new ServiceError('invalid_request', 'This form is incomplete. Reload the page and try again.');
}

function readName(form: FormFields): string {
  const name = form.text('name');
  if (name === '') throw fieldProblem('name', 'Enter a name.');
  if (name.length <= keyNameLengthMax) return name;
  throw fieldProblem('name', `Enter at most ${keyNameLengthMax} characters.`);
}

/** As a page shows it. */
function collapsed(name: string): string {
  return name.trim().replace(/\s+/g, ' ');
}
