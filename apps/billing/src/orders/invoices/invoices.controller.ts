import {
  findInvoicePages,
  type InvoicePages,
  openInvoiceDetails,
  OpenInvoiceDetailsRequest,
  OrderPath,
} from '#contracts';
import { Controller, UseInterceptors } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { StartsLimit } from '../payments-limits.interceptor.js';
import { InvoicesService } from './invoices.service.js';

@Controller()
@UseInterceptors(StartsLimit)
export class InvoicesController {
  constructor(private readonly invoices: InvoicesService) {}

  @MessagePattern(findInvoicePages.pattern)
  findPages(@Payload() path: OrderPath): Promise<InvoicePages> {
    return this.invoices.findPages(path);
  }

  @MessagePattern(openInvoiceDetails.pattern)
  async openDetails(@Payload() request: OpenInvoiceDetailsRequest): Promise<{ readonly url: string }> {
    return { url: await this.invoices.openDetails(request) };
  }
}
