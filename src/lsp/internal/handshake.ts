/** The parameters of `initialize`, and what is read from its response. */

import { isRecord } from '../../base/record.ts';
import type { PositionEncoding } from '../../text/position.ts';
import { ProtocolGarbage } from '../server-failure.ts';
import type { ServerOptions } from '../server-options.ts';
import { clientCapabilities } from './client-capabilities.ts';

export interface ServerInfo {
  readonly name?: string;
  readonly version?: string;
}

export interface InitializeAnswer {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly info: ServerInfo;
  readonly encoding: PositionEncoding;
}

export function initializeParams(options: ServerOptions): unknown {
  return {
    processId: options.transport.kind === 'stdio' && options.parent !== 'hidden' ? process.pid : null,
    clientInfo: { name: 'forerun' },
    rootUri: options.rootUri,
    workspaceFolders: options.workspaceFolders,
    capabilities: clientCapabilities(options),
    ...(options.initializationOptions !== undefined && {
      initializationOptions: options.initializationOptions,
    }),
  };
}

export function readInitializeResult(answer: unknown): InitializeAnswer {
  if (!isRecord(answer) || !isRecord(answer.capabilities)) {
    throw new ProtocolGarbage('the answer to initialize holds no capabilities');
  }
  const info = isRecord(answer.serverInfo) ? answer.serverInfo : {};
  return {
    capabilities: answer.capabilities,
    info: {
      ...(typeof info.name === 'string' && { name: info.name }),
      ...(typeof info.version === 'string' && { version: info.version }),
    },
    encoding: encodingOf(answer.capabilities),
  };
}

/** The default is UTF-16. */
function encodingOf(capabilities: Readonly<Record<string, unknown>>): PositionEncoding {
  const { positionEncoding } = capabilities;
  return positionEncoding === 'utf-8' || positionEncoding === 'utf-32' ? positionEncoding : 'utf-16';
}
