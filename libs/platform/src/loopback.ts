/** The names of this machine, as URLs have them. */
export const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a host, of a URL or to listen on, is this machine. */
export function isLoopback(host: string): boolean {
  return host === '::1' || loopbackHosts.includes(host);
}
