import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Log } from '../../base/log.ts';
import { asFailure } from '../../tools/failure.ts';
import { accessOf } from './http-access.ts';
import type { HttpArguments } from './mcp-arguments.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'forerun-token-'));
  await writeFile(join(directory, 'token'), 'of-file\n');
  await writeFile(join(directory, 'empty'), ' \n');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const asked: HttpArguments = { port: 1, address: '127.0.0.1', auth: 'required', allowedHosts: [] };
const tokens = ['of-env', 'of-compat-env', 'of-flag', 'of-file'];

/** The required token, or the failure, and the logged warnings. */
async function outcome(
  given: Partial<HttpArguments>,
  env: Record<string, string>,
): Promise<{ admitted: string | readonly string[]; said: string }> {
  const said: string[] = [];
  const log = new Log((record) => said.push(JSON.stringify(record)));
  const tokenFile = given.tokenFile === undefined ? undefined : join(directory, given.tokenFile);
  try {
    const access = await accessOf({ ...asked, ...given, ...(tokenFile && { tokenFile }) }, env, log);
    const admitted =
      access === 'anybody' ? access : tokens.filter((token) => access.admits(`Bearer ${token}`));
    return { admitted, said: said.join('\n') };
  } catch (thrown) {
    return { admitted: asFailure(thrown).code, said: said.join('\n') };
  }
}

test.each<[Partial<HttpArguments>, Record<string, string>, string | readonly string[]]>([
  [{}, { FORERUN_TOKEN: 'of-env' }, ['of-env']],
  [{ token: 'of-flag' }, { AGENT_LSP_TOKEN: 'of-compat-env' }, ['of-compat-env']],
  [{ tokenFile: 'token' }, { FORERUN_TOKEN: 'of-env', AGENT_LSP_TOKEN: 'of-compat-env' }, ['of-env']],
  [{ token: 'of-flag' }, { FORERUN_TOKEN: '' }, ['of-flag']],
  [{ tokenFile: 'token' }, {}, ['of-file']],
  [{ tokenFile: 'empty' }, {}, 'cli/unreadable-token'],
  [{ tokenFile: 'missing' }, {}, 'cli/unreadable-token'],
  [{}, {}, 'cli/no-token'],
  [{ auth: 'none' }, {}, 'anybody'],
  [{ auth: 'none', address: '::1' }, {}, 'anybody'],
  [{ auth: 'none', address: '0.0.0.0' }, {}, 'cli/open-door'],
  [{ auth: 'none', address: '192.168.1.7' }, { FORERUN_TOKEN: 'of-env' }, 'cli/open-door'],
])('given %j and the environment %j, %j is let in', async (given, env, expected) => {
  const { admitted, said } = await outcome(given, env);
  expect(admitted).toEqual(expected);
  expect(tokens.filter((token) => said.includes(token))).toEqual([]);
});

test('what leaves the door open, or the token in sight, is warned of', async () => {
  expect((await outcome({ auth: 'none' }, {})).said).toContain('http.no-auth');
  expect((await outcome({ token: 'of-flag' }, {})).said).toContain('http.token-visible');
});
