/**
 * The response to `initialize`, computed before the protocol library is loaded: that takes several times as long as
 * starting Node, and nothing in the response depends on it.
 *
 * Invariant: a request is answered here only if the library would send the same response, byte for byte. Any unusual
 * request is left to the library.
 */
import { instructions } from './instructions.ts';

/** The identity and capabilities of the server, also passed to the library. */
export function identity(version: string): {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly options: {
    readonly capabilities: typeof capabilities;
    readonly instructions: string;
  };
} {
  return { info: { name: 'forerun', title: 'Forerun', version }, options: { capabilities, instructions } };
}

const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {} };

export interface Greeting {
  readonly id: string | number;
  /** The response as one line. */
  readonly answer: string;
}

/** The response to a line that is a plain `initialize`; undefined for everything else. */
export function greetingIn(line: string, version: string): Greeting | undefined {
  const message = parsed(line);
  if (!hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== 'initialize' || !isId(id)) return undefined;
  if (!hasOnly(params, ['protocolVersion', 'capabilities', 'clientInfo'])) return undefined;
  const { protocolVersion, capabilities: offered, clientInfo } = params;
  if (typeof protocolVersion !== 'string' || !echoedVersions.has(protocolVersion)) return undefined;
  if (!isPlainOffer(offered) || !isPlainClient(clientInfo)) return undefined;
  const { info, options } = identity(version);
  const result = {
    protocolVersion,
    capabilities: options.capabilities,
    serverInfo: info,
    instructions: options.instructions,
  };
  return { id, answer: `${JSON.stringify({ result, jsonrpc, id })}\n` };
}

/** Revisions with a handshake, for which the library responds with the same revision. */
const echoedVersions: ReadonlySet<string> = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** Whether the client's capabilities have the form that every revision knows. */
function isPlainOffer(offered: unknown): boolean {
  if (!hasOnly(offered, ['roots', 'sampling', 'elicitation'])) return false;
  const { roots = {}, sampling = {}, elicitation = {} } = offered;
  if (!hasOnly(sampling, []) || !hasOnly(elicitation, []) || !hasOnly(roots, ['listChanged'])) return false;
  return roots.listChanged === undefined || typeof roots.listChanged === 'boolean';
}

function isPlainClient(client: unknown): boolean {
  if (!hasOnly(client, ['name', 'version', 'title'])) return false;
  const { name, version, title = '' } = client;
  return [name, version, title].every((each) => typeof each === 'string');
}

type Members = Readonly<Record<string, unknown>>;

function hasOnly(value: unknown, names: readonly string[]): value is Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).every((name) => names.includes(name));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
