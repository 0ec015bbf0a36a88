import { findInvoicePages, type InvoicePages, openInvoiceDetails } from '#contracts';
import { Get, Inject } from '@nestjs/common';
import { PUBLIC_ORIGIN } from '../../../config/public-origin.js';
import { AccountData } from '../../data/account-data.js';
import { pagePaths, pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { SeeOther } from '../../view/page.js';
import { orderPath } from './orders.js';

/** Ways to the pages of the payment provider that show invoices. Their addresses expire, so they are asked for at each visit. */
@MemberPages(pagePaths.buy)
export class InvoicesController {
  private readonly pagesUrl: string;

  constructor(
    @Inject(PUBLIC_ORIGIN) origin: string,
    private readonly account: AccountData,
  ) {
    this.pagesUrl = origin + pagesPrefix;
  }

  @Get(':order_id/invoice')
  async showInvoice(@CurrentMember() member: MemberRequest): Promise<SeeOther> {
    return orOrder(member, (await this.pagesOf(member)).page_url);
  }

  @Get(':order_id/invoice.pdf')
  async showPdf(@CurrentMember() member: MemberRequest): Promise<SeeOther> {
    return orOrder(member, (await this.pagesOf(member)).pdf_url);
  }

  /** Where owners change the name, email, address and tax ID of future invoices. */
  @Get('invoice-details')
  async openDetails(@CurrentMember() member: MemberRequest): Promise<SeeOther> {
    member.assertOwner();
    const request = { pages_url: this.pagesUrl };
    const { url } = await this.account.ask(member, openInvoiceDetails, request, member.contextOfLongWork());
    return new SeeOther(url);
  }

  private pagesOf(member: MemberRequest): Promise<InvoicePages> {
    const request = { order_id: member.id('order_id') };
    return this.account.ask(member, findInvoicePages, request, member.contextOfLongWork());
  }
}

/** The page of the order says what is missing. */
function orOrder(member: MemberRequest, url: string | null): SeeOther {
  return new SeeOther(url ?? orderPath({ id: member.id('order_id') }));
}
