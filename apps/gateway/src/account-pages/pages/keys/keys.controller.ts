import { createKey, deleteKey, getKey, type KeyView, ServiceError, updateKey } from '@app/contracts';
import { CONFIG, deriveApiKey, displayPrefix, hashApiKey, newToken } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { publicOrigin, type PublicOriginConfig } from '../../../http/server/public-origin.js';
import { AccountData } from '../../data/account-data.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields, Parameters } from '../../sessions/form-fields.js';
import { isToken } from '../../sessions/tokens.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { lastDays } from '../../view/dates.js';
import { isAboutForm, refuse, refuseFor } from '../../view/form-refusal.js';
import { type FormProblems } from '../../view/sent-form.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { readId } from '../read-id.js';
import { createdKeyPage, shownKeyPage } from './created-key.page.js';
import { deleteKeyPage } from './delete-key.js';
import { keyDays, keyNameLengthMax } from './key-limits.js';
import { withUsage } from './key-usage.js';
import { keysPage, type KeysProps } from './keys.page.js';
import { NewKeyCookie } from './new-key-cookie.js';
import { newKeyPath } from './new-key-path.js';
import { renameKeyPage } from './rename-key.js';

const doneByCode: Readonly<Record<string, string>> = {
  renamed: 'The key has its new name.',
  on: 'The key is on. Calls with it are answered again.',
  off: 'The key is off. Calls with it are refused within a second.',
  deleted: 'The key is deleted. Calls with it are refused within a second.',
};

/** `/account/keys`: members create, rename, switch and delete the API keys of their account. */
@MemberPages(pagePaths.keys)
export class KeysController {
  private readonly origin: string;

  constructor(
    @Inject(CONFIG) config: PublicOriginConfig,
    private readonly services: ServiceClient,
    private readonly account: AccountData,
    private readonly newKey: NewKeyCookie,
  ) {
    this.origin = publicOrigin(config);
  }

  @Get()
  list(@CurrentVisit() visit: Visit, @Parameters() parameters: FormFields): Promise<PageView> {
    const done = doneByCode[parameters.text('done')];
    return this.page(visit, done === undefined ? {} : { done });
  }

  /**
   * The same form sent again is the same key with the same secret, whatever happened to the first answer: both follow from the
   * session and the form. The next page shows it, so that loading that page again creates nothing.
   */
  @Post()
  async create(
    @CurrentVisit() visit: Visit,
    @Form() form: FormFields,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageView | SeeOther> {
    const name = form.text('name');
    const problems = nameProblems(name);
    if (problems) return refuse(await this.page(visit), { form, problems });
    const secret = deriveApiKey(visit.token, JSON.stringify([readFormId(form), name]));
    const hash = hashApiKey(secret);
    try {
      const { key } = await this.services.request(
        createKey,
        {
          account_id: visit.accountId,
          key_id: uuidv7(),
          name,
          // Of this very secret: another secret can never replace it.
          idempotency_key: hash,
          key_hash: hash,
          prefix: displayPrefix(secret),
          created_by: visit.session.person_id,
        },
        visit.context(),
      );
      this.newKey.set(reply, visit, key, secret);
      return new SeeOther(newKeyPath(key.id));
    } catch (error) {
      if (!isAboutForm(error)) throw error;
      return refuseFor(await this.page(visit), form, error);
    }
  }

  /** Shows a new key once; afterwards it says that it was shown. */
  @Get(':key_id/new')
  async showNew(
    @CurrentVisit() visit: Visit,
    @Param('key_id') keyId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageView> {
    const key = await this.find(visit, keyId);
    const secret = this.newKey.take(request, reply, visit, key.id);
    return secret === undefined ? shownKeyPage(key) : createdKeyPage(key.name, secret, this.origin);
  }

  @Get(':key_id/name')
  async askName(@CurrentVisit() visit: Visit, @Param('key_id') keyId: string): Promise<PageView> {
    return renameKeyPage(await this.find(visit, keyId));
  }

  @Post(':key_id/name')
  async rename(
    @CurrentVisit() visit: Visit,
    @Param('key_id') keyId: string,
    @Form() form: FormFields,
  ): Promise<PageView | SeeOther> {
    const name = form.text('name');
    const problems = nameProblems(name);
    if (problems) return refuse(renameKeyPage(await this.find(visit, keyId)), { form, problems });
    await this.update(visit, keyId, { name });
    return done('renamed');
  }

  @Post(':key_id/on')
  async switchOn(@CurrentVisit() visit: Visit, @Param('key_id') keyId: string): Promise<SeeOther> {
    await this.update(visit, keyId, { active: true });
    return done('on');
  }

  @Post(':key_id/off')
  async switchOff(@CurrentVisit() visit: Visit, @Param('key_id') keyId: string): Promise<SeeOther> {
    await this.update(visit, keyId, { active: false });
    return done('off');
  }

  @Get(':key_id/delete')
  async askToDelete(@CurrentVisit() visit: Visit, @Param('key_id') keyId: string): Promise<PageView> {
    return deleteKeyPage(await this.find(visit, keyId));
  }

  @Post(':key_id/delete')
  async delete(
    @CurrentVisit() visit: Visit,
    @Param('key_id') keyId: string,
    @Form() form: FormFields,
  ): Promise<PageView | SeeOther> {
    const key = await this.find(visit, keyId);
    if (collapsed(form.text('name')) !== collapsed(key.name)) {
      return refuse(deleteKeyPage(key), { form, problems: { name: "The name doesn't match." } });
    }
    const path = { account_id: visit.accountId, key_id: key.id };
    await this.services.request(deleteKey, path, visit.context());
    return done('deleted');
  }

  private find(visit: Visit, keyId: string): Promise<KeyView> {
    const path = { account_id: visit.accountId, key_id: readId(keyId) };
    return this.services.request(getKey, path, visit.context());
  }

  private update(visit: Visit, keyId: string, change: { name?: string; active?: boolean }): Promise<KeyView> {
    const path = { account_id: visit.accountId, key_id: readId(keyId) };
    return this.services.request(updateKey, { ...path, ...change }, visit.context());
  }

  private async page(visit: Visit, props: Partial<KeysProps> = {}): Promise<PageView> {
    const days = lastDays(keyDays, Date.now());
    const [keys, usage] = await Promise.all([
      this.account.keys(visit),
      this.account.usage(visit, days[0] ?? '', days.at(-1) ?? ''),
    ]);
    return keysPage({ keys: withUsage(keys, usage, days), formId: newToken(), ...props });
  }
}

function done(code: string): SeeOther {
  return new SeeOther(withQuery(pagePaths.keys, { done: code }));
}

/** Random, and known only to the page that holds the form. */
function readFormId(form: FormFields): string {
  const id = form.text('form_id');
  if (isToken(id)) return id;
  throw new ServiceError('invalid_request', 'This form is not complete. Load the page again.');
}

/** What is wrong with the name of a key. */
function nameProblems(name: string): FormProblems | undefined {
  if (name === '') return { name: 'Enter a name.' };
  return name.length > keyNameLengthMax
    ? { name: `Enter at most ${keyNameLengthMax} characters.` }
    : undefined;
}

/** As a page shows it. */
function collapsed(name: string): string {
  return name.trim().replace(/\s+/g, ' ');
}
