/**
 * Access control of the HTTP server, from arguments and environment.
 *
 * Invariant: without a token, only this machine can connect, and only with an explicit --no-auth.
 */
import { readFile } from 'node:fs/promises';
import { Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { variableOf } from '../../config/environment.ts';
import { userSettings } from '../../host/user-settings.ts';
import { isLoopbackAddress } from '../../http/allowed-hosts.ts';
import { BearerToken } from '../../http/bearer-token.ts';
import type { HttpArguments } from './mcp-arguments.ts';

/** The token that clients must present; fails if the server would be open by accident. */
export async function accessOf(
  given: HttpArguments,
  env: NodeJS.ProcessEnv,
  log: Log,
): Promise<BearerToken | 'anybody'> {
  if (given.auth === 'none') {
    if (!isLoopbackAddress(given.address)) throw new OpenAccess(given.address);
    log.warning('http.no-auth', {
      address: given.address,
      note: 'every program on this machine can call the tools',
    });
    return 'anybody';
  }
  const ofEnvironment = variableOf(env, 'keys.http');
  if (ofEnvironment) return new BearerToken(ofEnvironment.text);
  if (given.token !== undefined) {
    log.warning('http.token-visible', { note: 'the process list shows --token; use FORERUN_TOKEN instead' });
    return new BearerToken(given.token);
  }
  if (given.tokenFile !== undefined) return new BearerToken(await readToken(given.tokenFile));
  const { http } = userSettings(env, log).keys;
  if (http === undefined) throw new NoToken();
  return new BearerToken(http);
}

async function readToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UnreadableToken(file, messageOf(cause));
  });
  const token = text.trim();
  if (token === '' || /\s/.test(token)) throw new UnreadableToken(file, 'it must contain one word');
  return token;
}

class NoToken extends Failure {
  readonly code = 'cli/no-token';
  readonly remedy =
    'Set FORERUN_TOKEN or give --token-file; on a loopback address --no-auth serves without one.';

  constructor() {
    super('--http requires a token');
  }
}

class OpenAccess extends Failure {
  readonly code = 'cli/open-door';
  readonly remedy = 'Leave --listen-addr at 127.0.0.1, or set FORERUN_TOKEN instead of --no-auth.';

  constructor(address: string) {
    super(`--no-auth is only allowed on a loopback address, not on ${address}`);
  }
}

class UnreadableToken extends Failure {
  readonly code = 'cli/unreadable-token';
  readonly remedy = 'Write the token into the file, as one word, readable by this user.';

  constructor(file: string, reason: string) {
    super(`no token in ${file}: ${reason}`);
  }
}
