import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { ChargingModule } from '../charging/charging.module.js';
import { CreatorsModule } from '../creators/creators.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { McpController } from './mcp.controller.js';
import { McpProtocol } from './protocol/mcp-protocol.js';
import { Toolbox } from './tools/toolbox.js';
import { Tools } from './tools/tools.js';

/** The public API for models: the tools of the Model Context Protocol at `/mcp`. */
@Module({
  imports: [AuthenticationModule, ChargingModule, CreatorsModule, RateLimitModule],
  controllers: [McpController],
  providers: [Tools, Toolbox, McpProtocol],
})
export class McpModule {}
