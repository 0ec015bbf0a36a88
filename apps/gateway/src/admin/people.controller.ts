import {
  accountPagesPath,
  createSignInLink,
  erasePerson,
  ErasePersonRequest,
  type ErasureReply,
  forgetIdentities,
  ForgetIdentitiesRequest,
  getPersonReport,
  type PersonReport,
  PersonRequest,
  SignInLinkBody,
  ServiceError,
  signInLinkPath,
  AccountPath,
} from '#contracts';
import { CONFIG, newToken, sha256 } from '#platform';
import { ServiceClient } from '#transport';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Call, CurrentCall } from '../requests/call.js';
import { type GatewayConfig } from '../config/gateway-config.js';
import { Area, OnlyForAll } from './operators/roles.js';
import { Path } from './parameters.js';

interface SignInLink {
  readonly url: string;
  readonly email: string;
  readonly valid_for_seconds: number;
}

/**
 * How people sign in: links for those who get no mail, and identities of an OpenID provider; what is held about a person, and its
 * erasure.
 */
@Area('accounts')
@Controller()
export class PeopleController {
  constructor(
    private readonly services: ServiceClient,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'SITE_URL'>,
  ) {}

  /** 201 with a link for the member with this address, or for the first owner. Only its hash leaves the gateway. */
  @OnlyForAll(true)
  @Post('accounts/:account_id/sign-in-link')
  async createLink(
    @Path() account: AccountPath,
    @Body() body: SignInLinkBody,
    @CurrentCall() call: Call,
  ): Promise<SignInLink> {
    const { SITE_URL } = this.config;
    if (SITE_URL === undefined) {
      throw new ServiceError('conflict', 'No website is configured: SITE_URL is not set.');
    }
    const token = newToken();
    const request = { ...account, token_hash: sha256(token), ...body };
    const reply = await this.services.request(createSignInLink, request, call);
    return { url: `${SITE_URL}${accountPagesPath}${signInLinkPath}?token=${token}`, ...reply };
  }

  /** Unbinds the identities of the person with this address from them, and says how many. Their sessions end. */
  @Post('people/unlink')
  @HttpCode(200)
  forgetIdentities(
    @Body() person: ForgetIdentitiesRequest,
    @CurrentCall() call: Call,
  ): Promise<{ forgotten: number }> {
    return this.services.request(forgetIdentities, person, call);
  }

  /** Everything that is held about the person with this address. A POST, because an address belongs into no URL. */
  @Post('people/report')
  @HttpCode(200)
  report(@Body() person: PersonRequest, @CurrentCall() call: Call): Promise<PersonReport> {
    return this.services.request(getPersonReport, person, call);
  }

  /** Erases the person with this address; says what was erased, and where it can be erased at Stripe. */
  @Post('people/erase')
  @HttpCode(200)
  erase(@Body() person: ErasePersonRequest, @CurrentCall() call: Call): Promise<ErasureReply> {
    return this.services.request(erasePerson, person, call);
  }
}
