import { createKey, deleteKey, getKey, type KeyView, ServiceError, updateKey } from '@app/contracts';
import { CONFIG, displayPrefix, generateApiKey, hashApiKey } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Get, Inject, Param, Post } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { publicOrigin, type PublicOriginConfig } from '../../../http/server/public-origin.js';
import { AccountData } from '../../data/account-data.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields, Parameters } from '../../sessions/form-fields.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { lastDays } from '../../view/dates.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { readId } from '../read-id.js';
import { createdKeyPage } from './created-key.page.js';
import { deleteKeyPage } from './delete-key.js';
import { keyDays, keyNameLengthMax } from './key-limits.js';
import { withUsage } from './key-usage.js';
import { keysPage, type KeysProps } from './keys.page.js';

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
  ) {
    this.origin = publicOrigin(config);
  }

  @Get()
  list(@CurrentVisit() visit: Visit, @Parameters() parameters: FormFields): Promise<PageView> {
    const done = doneByCode[parameters.text('done')];
    return this.page(visit, done === undefined ? {} : { done });
  }

  /** Shows the key at once: nothing keeps it until a next page. The same form again is the same key, with a new secret. */
  @Post()
  async create(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<PageView> {
    const typedName = form.text('name');
    if (typedName === '' || typedName.length > keyNameLengthMax) {
      const problem = typedName === '' ? 'Give the key a name.' : `${keyNameLengthMax} characters at most.`;
      return this.page(visit, { problem, typedName, status: 400 });
    }
    const secret = generateApiKey();
    try {
      const { key } = await this.services.request(
        createKey,
        {
          account_id: visit.accountId,
          key_id: uuidv7(),
          name: typedName,
          idempotency_key: readId(form.text('idempotency_key')),
          key_hash: hashApiKey(secret),
          prefix: displayPrefix(secret),
        },
        visit.context(),
      );
      return createdKeyPage(key.name, secret, this.origin);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
      return this.page(visit, { problem: error.message, typedName, status: 409 });
    }
  }

  @Post(':key_id/name')
  async rename(
    @CurrentVisit() visit: Visit,
    @Param('key_id') keyId: string,
    @Form() form: FormFields,
  ): Promise<SeeOther> {
    const name = form.text('name');
    if (name === '' || name.length > keyNameLengthMax) {
      throw new ServiceError('invalid_request', `A key has a name of 1 to ${keyNameLengthMax} characters.`);
    }
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
      return deleteKeyPage(key, 'This is not its name.');
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

  private async page(visit: Visit, props: Partial<KeysProps>): Promise<PageView> {
    const days = lastDays(keyDays, Date.now());
    const [keys, usage] = await Promise.all([
      this.account.keys(visit),
      this.account.usage(visit, days[0] ?? '', days.at(-1) ?? ''),
    ]);
    return keysPage({ keys: withUsage(keys, usage, days), idempotencyKey: uuidv7(), ...props });
  }
}

function done(code: string): SeeOther {
  return new SeeOther(withQuery(pagePaths.keys, { done: code }));
}

/** As a page shows it. */
function collapsed(name: string): string {
  return name.trim().replace(/\s+/g, ' ');
}
