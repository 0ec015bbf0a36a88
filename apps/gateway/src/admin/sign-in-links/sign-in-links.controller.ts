import { accountPagesPath, createSignInLink, signInLinkPath } from '@app/contracts';
import { CONFIG, newToken, sha256 } from '@app/platform';
import { ServiceClient, type RequestContext } from '@app/transport';
import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import { publicOrigin, type PublicOriginConfig } from '../../config/public-origin.js';
import { CallContext } from '../call-context.js';
import { accountId } from '../validation/resource-id.pipe.js';
import { SignInLinkBody } from './sign-in-links.dto.js';

interface SignInLink {
  readonly url: string;
  readonly email: string;
  readonly valid_for_seconds: number;
}

/** Links with which an operator lets a member in who gets no mail. */
@Controller('accounts/:account_id/sign-in-link')
export class SignInLinksController {
  private readonly linkUrl: string;

  constructor(
    private readonly services: ServiceClient,
    @Inject(CONFIG) config: PublicOriginConfig,
  ) {
    this.linkUrl = `${publicOrigin(config)}${accountPagesPath}${signInLinkPath}`;
  }

  /** 201 with a link for the member with this address, or for the first owner. Only its hash leaves the gateway. */
  @Post()
  async create(
    @Param('account_id', accountId) account: string,
    @Body() { email }: SignInLinkBody,
    @CallContext() context: RequestContext,
  ): Promise<SignInLink> {
    const token = newToken();
    const request = {
      account_id: account,
      token_hash: sha256(token),
      ...(email === undefined ? {} : { email }),
    };
    const reply = await this.services.request(createSignInLink, request, context);
    return { url: `${this.linkUrl}?token=${token}`, ...reply };
  }
}
