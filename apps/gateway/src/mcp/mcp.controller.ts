import { Controller, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Authenticator } from '../authentication/authenticator.service.js';
import { MeteringService } from '../charging/metering.service.js';
import { refuseParameters } from '../validation/shape.pipe.js';
import { CallLimits } from '../rate-limit/call-limits.js';
import { McpProtocol } from './protocol/mcp-protocol.js';
import { isToolResult, readMessage, RefusedMessageFilter, sendAnswer } from './protocol/messages.js';
import { ToolCall } from './tools/tool-call.js';
import { Toolbox } from './tools/toolbox.js';
import { ServiceError } from '#contracts';

/**
 * `POST /mcp`. Asking what the server can do needs no key, calling a tool does. A key that is sent is checked
 * with every message, so that a wrong one shows when a client connects.
 */
@Controller('mcp')
@UseFilters(RefusedMessageFilter)
export class McpController {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: CallLimits,
    private readonly metering: MeteringService,
    private readonly protocol: McpProtocol,
    private readonly toolbox: Toolbox,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteConfig({ worksWithoutKey: true })
  async answer(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseBrowsers(request);
    refuseParameters(request);
    const hasKey = request.headers.authorization !== undefined;
    // The body was not read because the key can't be right.
    if (hasKey && request.body === undefined) await this.authenticator.authenticate(request);
    const { body, callsTool } = readMessage(request);
    if (callsTool) {
      await this.authenticator.authenticate(request);
      const toolCall = new ToolCall(reply, { limits: this.limits, metering: this.metering });
      return this.answerToolCall(body, toolCall, reply);
    }
    if (hasKey) await this.authenticator.authenticate(request);
    sendAnswer(reply, await this.protocol.answer(body, request.headers, noTool));
  }

  /** Posts the charge once the result of the tool has been handed over; any other answer is free. */
  private async answerToolCall(body: unknown, toolCall: ToolCall, reply: FastifyReply): Promise<void> {
    try {
      const answer = await this.protocol.answer(body, reply.request.headers, (name, toolArguments) =>
        this.toolbox.call(toolCall, name, toolArguments),
      );
      const { pendingCharge } = toolCall;
      if (pendingCharge && isToolResult(answer)) {
        void reply.send(pendingCharge.answer(reply, Buffer.from(answer.json)));
      } else {
        pendingCharge?.voidNow();
        sendAnswer(reply, answer);
      }
    } catch (error) {
      toolCall.pendingCharge?.voidNow();
      throw error;
    }
  }
}

function noTool(): Promise<never> {
  return Promise.reject(new Error('a message that calls no tool called one'));
}

/**
 * Refuses pages in a browser, because only they send an `Origin`, as the protocol asks against DNS rebinding. None is an exception:
 * a page must not hold a key, and without CORS headers it could not read the answer.
 */
function refuseBrowsers({ headers }: FastifyRequest): void {
  if (headers.origin === undefined) return;
  throw new ServiceError('forbidden', 'Requests from browsers are not allowed; send no Origin header.');
}
