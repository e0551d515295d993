/** `forerun call`: runs one tool in this process, as an MCP client would call it. */
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { Connection } from '../../host/connection.ts';
import { Forerun } from '../../host/forerun.ts';
import type { TrustGrant } from '../../host/user-trust.ts';
import { InvalidArgument } from '../../tools/failure.ts';
import { contentOf } from '../../tools/tool-result.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';

export interface CallOptions {
  readonly tool: string;
  /** JSON text. */
  readonly arguments: string;
  readonly output: 'payload' | 'whole';
  readonly trust: TrustGrant;
  readonly log: Log;
}

export async function callCommand({ signal }: ProcessLifetime, options: CallOptions): Promise<ExitCode> {
  const { tool, trust, log } = options;
  const { env } = process;
  await using forerun = new Forerun({ definitions: 'detect', log, env, trust, audit: {} });
  const { skills } = forerun;
  const client = { toolset: 'full', sessions: 'kept', calls: 'one' } as const;
  await using connection = new Connection(forerun, { log, skills, ...client });
  const caller = { client: 'forerun call', setLogLevel: () => {}, progress: () => {} };
  const result = await connection.call(
    { name: tool, arguments: readJson(options.arguments), caller },
    signal,
  );
  const content = contentOf(result);
  const whole = { content: content.map((text) => ({ type: 'text', text })), isError: result.isError };
  process.stdout.write(`${options.output === 'whole' ? JSON.stringify(whole, undefined, 2) : content[0]}\n`);
  const remedy = result.isError ? result.meta?.remedy : undefined;
  if (options.output === 'payload' && typeof remedy === 'string') process.stderr.write(`${remedy}\n`);
  return result.isError ? exitCodes.bad : exitCodes.good;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidArgument(
      `the arguments are not JSON: ${messageOf(cause)}`,
      'Pass the arguments as one quoted JSON object, e.g. \'{"file_path":"/…"}\'.',
    );
  }
}
