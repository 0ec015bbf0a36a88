import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { bindSocket } from './ports.js';

it('bindSocket says which port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(() => bindSocket(port)).toThrow(`Port ${port} is in use`);
  other.close();
});
