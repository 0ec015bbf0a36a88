import { compile } from '@fastify/proxy-addr';
import { type GatewayConfig } from '../config/gateway-config.js';

/** Whether the address that is `hop` steps away from the gateway, counted from 0, is a proxy that is believed. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** `X-Forwarded-For` is trusted from a number of proxies in front, or from the named ones. */
export function proxyTrust(proxies: GatewayConfig['TRUST_PROXY']): ProxyTrust {
  if (proxies === false) return () => false;
  return typeof proxies === 'number' ? (_, hop) => hop < proxies : compile(proxies);
}
