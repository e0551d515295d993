/** `forerun call`: runs one tool in this process, as an MCP client would call it. */
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { dispatch } from '../../tools/dispatch.ts';
import { InvalidArgument } from '../../tools/failure.ts';
import { contentOf } from '../../tools/tool-result.ts';
import { auditPathOf } from '../audit/audit-choice.ts';
import { connect } from '../connection.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { House } from '../house.ts';
import type { Life } from '../lifetime.ts';
import { shippedSkills } from '../skills/shipped-skills.ts';
import type { TrustGrant } from '../trust/user-trust.ts';

export interface CallOptions {
  readonly tool: string;
  /** JSON text. */
  readonly arguments: string;
  readonly output: 'payload' | 'whole';
  readonly trust: TrustGrant;
  readonly log: Log;
}

export async function callCommand({ signal }: Life, options: CallOptions): Promise<ExitCode> {
  const { tool, trust, log } = options;
  const auditPath = auditPathOf(undefined, process.env);
  await using house = new House({ definitions: 'detect', log, sessions: 'kept', trust, auditPath });
  const skills = () => shippedSkills(log);
  await using served = connect(house, { log, skills, toolset: 'full', sessions: 'kept' });
  const { tools, guards, context, documents } = served;
  const connection = { documents, setLogLevel: () => {}, progress: () => {} };
  const call = { tools, guards, name: tool, arguments: readJson(options.arguments) };
  const result = await dispatch({ ...context, connection }, call, signal);
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
      'Quote them, e.g. \'{"file_path":"/…"}\'.',
    );
  }
}
