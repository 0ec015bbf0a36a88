import { type FastifyReply, type FastifyRequest, fastify, type FastifyInstance } from 'fastify';

type Answer = (reply: FastifyReply) => Promise<FastifyReply>;

/**
 * The internal port of a process, for operators; must not be reachable from the internet. It answers from the start,
 * and modules add their paths as they become ready.
 */
export class InternalServer {
  private readonly answers = new Map<string, Answer>();
  private readonly server: FastifyInstance = fastify({ logger: false });

  constructor() {
    this.server.get('/*', (request: FastifyRequest, reply) => {
      const answer = this.answers.get(new URL(request.url, 'http://internal').pathname);
      return answer ? answer(reply) : reply.callNotFound();
    });
  }

  /** Adds a handler for `GET` of this path. */
  answer(path: string, answer: Answer): void {
    this.answers.set(path, answer);
  }

  async listen(host: string, port: number): Promise<void> {
    await this.server.listen({ host, port });
  }

  async close(): Promise<void> {
    await this.server.close();
  }
}
