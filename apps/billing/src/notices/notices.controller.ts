import {
  AccountPath,
  changeNotices,
  ChangeNoticesRequest,
  type DeliveryView,
  getNotices,
  listDeliveries,
  type NoticeSettings,
  testNotice,
  TestNoticeRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { NoticesService } from './notices.service.js';

@Controller()
export class NoticesController {
  constructor(private readonly notices: NoticesService) {}

  @MessagePattern(getNotices.pattern)
  show(@Payload() { account_id }: AccountPath): Promise<NoticeSettings> {
    return this.notices.show(account_id);
  }

  @MessagePattern(changeNotices.pattern)
  change(
    @Payload() request: ChangeNoticesRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<NoticeSettings> {
    return this.notices.change(request, remainingMs);
  }

  @MessagePattern(testNotice.pattern)
  async test(@Payload() request: TestNoticeRequest): Promise<{ queued: true }> {
    await this.notices.test(request);
    return { queued: true };
  }

  @MessagePattern(listDeliveries.pattern)
  async list(@Payload() { account_id }: AccountPath): Promise<{ deliveries: DeliveryView[] }> {
    return { deliveries: await this.notices.list(account_id) };
  }
}
