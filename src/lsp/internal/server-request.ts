/**
 * Handles requests of a server to its client.
 *
 * Invariant: every request gets a response of the shape the protocol requires, or MethodNotFound.
 */
import { isRecord, itemsOf } from '../../base/record.ts';
import type { Capabilities } from '../capabilities.ts';
import { ResponseFailed } from '../server-failure.ts';
import type { ServerOptions, WorkspaceFolder } from '../server-options.ts';

export interface RequestContext {
  readonly options: Pick<ServerOptions, 'applyEdit'>;
  /** The current settings, which may change while the server runs. */
  readonly settings: () => unknown;
  /** The current folders, which may change while the server runs. */
  readonly folders: () => readonly WorkspaceFolder[];
  readonly capabilities: Capabilities;
}

export function answerServer(context: RequestContext, method: string, params: unknown): unknown {
  const answer = answers[method];
  if (!answer)
    throw new ResponseFailed({ code: methodNotFound, message: `${method} is not supported by this client` });
  return answer(context, isRecord(params) ? params : {});
}

const methodNotFound = -32601;

type Answer = (context: RequestContext, params: Readonly<Record<string, unknown>>) => unknown;

const answers: Readonly<Record<string, Answer>> = {
  'workspace/configuration': ({ settings }, { items }) =>
    itemsOf(items).map((item) => settingsSection(settings(), isRecord(item) ? item.section : undefined)),
  'workspace/workspaceFolders': ({ folders }) => folders(),
  'workspace/applyEdit': ({ options }, { edit }) =>
    options.applyEdit?.(edit) ?? {
      applied: false,
      failureReason: 'this client does not apply edits by itself',
    },
  'client/registerCapability': register,
  'client/unregisterCapability': unregister,
  'window/workDoneProgress/create': () => null,
  'window/showMessageRequest': () => null,
  'window/showDocument': () => ({ success: false }),
  ...Object.fromEntries(
    ['diagnostic', 'semanticTokens', 'inlayHint', 'codeLens', 'inlineValue', 'foldingRange'].map(
      (feature) => [`workspace/${feature}/refresh`, () => null],
    ),
  ),
};

function register({ capabilities }: RequestContext, params: Readonly<Record<string, unknown>>): null {
  for (const item of itemsOf(params.registrations)) {
    if (!isRecord(item) || typeof item.id !== 'string' || typeof item.method !== 'string') continue;
    capabilities.register({ id: item.id, method: item.method, options: item.registerOptions });
  }
  return null;
}

/** `unregisterations` is the protocol's spelling. */
function unregister({ capabilities }: RequestContext, params: Readonly<Record<string, unknown>>): null {
  for (const item of itemsOf(params.unregisterations)) {
    if (isRecord(item) && typeof item.id === 'string') capabilities.unregister(item.id);
  }
  return null;
}

/**
 * The settings of a dotted section, nested or with the dots in the key. An unset section is an empty object: some
 * servers fail on null.
 */
export function settingsSection(settings: unknown, section: unknown): unknown {
  if (typeof section !== 'string' || section === '') return settings ?? {};
  return sectionOf(settings, section) ?? {};
}

function sectionOf(settings: unknown, section: string): unknown {
  if (!isRecord(settings)) return undefined;
  const direct = settings[section];
  if (direct !== undefined) return direct;
  for (let dot = section.indexOf('.'); dot >= 0; dot = section.indexOf('.', dot + 1)) {
    const found = sectionOf(settings[section.slice(0, dot)], section.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
