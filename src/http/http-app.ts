/**
 * The checks every request passes before it reaches anything of ours: who it is addressed to, where it comes from,
 * who sends it and how much.
 *
 * Invariant: nothing but the health check answers a request that has not passed all of them, and every answer
 * carries the security headers.
 */
import { Hono } from 'hono';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import type { BearerToken } from './bearer-token.ts';

export interface HttpAppOptions {
  readonly hosts: AllowedHosts;
  /** Who may come in; `anybody` only where this machine alone can knock. */
  readonly token: BearerToken | 'anybody';
  /** What a request may announce; whoever reads a body of unannounced length stops there as well. */
  readonly maxBodyBytes: number;
  readonly log: Log;
}

/** Sent with every answer: nothing here is to be guessed at or kept. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const;

export function createHttpApp({ hosts, token, maxBodyBytes, log }: HttpAppOptions): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
  });
  app.use(async (context, next) => {
    const host = context.req.header('host');
    const isMeant = hosts.admitsHost(host) && hosts.admitsOrigin(context.req.header('origin'), host);
    if (isMeant) return next();
    log.warning('http.refused', {
      code: 'http/host-not-allowed',
      host,
      origin: context.req.header('origin'),
    });
    return context.json({ error: 'forbidden', message: 'this Host or Origin is not allowed' }, 403);
  });
  app.get('/health', (context) => context.json({ status: 'ok' }));
  app.use(async (context, next) => {
    if (token === 'anybody' || token.admits(context.req.header('authorization'))) return next();
    log.info('http.refused', { code: 'http/unauthorized' });
    return context.json({ error: 'unauthorized' }, 401, { 'WWW-Authenticate': 'Bearer' });
  });
  app.use(async (context, next) => {
    const declared = Number(context.req.header('content-length') ?? 0);
    if (declared <= maxBodyBytes) return next();
    return context.json({ error: 'too large', message: `a body may have ${maxBodyBytes} bytes` }, 413, {
      // The rest of the body is not read, so nothing can follow it on this connection.
      Connection: 'close',
    });
  });
  app.notFound((context) => context.json({ error: 'not found' }, 404));
  app.onError((thrown, context) => {
    log.error('http.failed', { code: 'http/failed', error: messageOf(thrown) });
    return context.json({ error: 'internal error' }, 500);
  });
  return app;
}
