/**
 * Our client capabilities.
 *
 * Invariant: nothing is offered that is not handled: a server adapts to the capabilities, and may stop publishing if
 * they are wrong.
 */
import type { ClientCapabilities } from 'vscode-languageserver-protocol';
import type { ServerOptions } from '../server-options.ts';

export function clientCapabilities(options: ServerOptions): ClientCapabilities {
  const isPull = options.diagnosticsMode === 'pull';
  return {
    general: { positionEncodings: ['utf-16'] },
    window: { workDoneProgress: true },
    workspace: workspaceCapabilities(options.applyEdit !== undefined),
    textDocument: {
      ...documentCapabilities,
      ...(isPull && { diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true } }),
    },
    ...(options.experimental && { experimental: { ...options.experimental } }),
  };
}

function workspaceCapabilities(applyEdit: boolean): NonNullable<ClientCapabilities['workspace']> {
  return {
    applyEdit,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create', 'rename', 'delete'],
      failureHandling: 'transactional',
    },
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    fileOperations: { dynamicRegistration: true, willRename: true },
    symbol: { dynamicRegistration: true, symbolKind: { valueSet: [...symbolKinds] } },
    executeCommand: { dynamicRegistration: true },
  };
}

const completionKinds = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
] as const;
const symbolKinds = [...completionKinds, 26] as const;
const dynamic = { dynamicRegistration: true } as const;
const linked = { dynamicRegistration: true, linkSupport: true } as const;

const documentCapabilities: ClientCapabilities['textDocument'] = {
  synchronization: { dynamicRegistration: true, didSave: true },
  publishDiagnostics: {
    relatedInformation: true,
    tagSupport: { valueSet: [1, 2] },
    versionSupport: true,
    codeDescriptionSupport: true,
    dataSupport: true,
  },
  hover: { dynamicRegistration: true, contentFormat: ['markdown', 'plaintext'] },
  completion: {
    dynamicRegistration: true,
    contextSupport: true,
    completionItem: {
      documentationFormat: ['markdown', 'plaintext'],
      deprecatedSupport: true,
      labelDetailsSupport: true,
      resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
    },
    completionItemKind: { valueSet: [...completionKinds] },
  },
  signatureHelp: {
    dynamicRegistration: true,
    signatureInformation: {
      documentationFormat: ['markdown', 'plaintext'],
      parameterInformation: { labelOffsetSupport: true },
    },
  },
  definition: linked,
  declaration: linked,
  typeDefinition: linked,
  implementation: linked,
  references: dynamic,
  documentHighlight: dynamic,
  documentSymbol: {
    dynamicRegistration: true,
    hierarchicalDocumentSymbolSupport: true,
    symbolKind: { valueSet: [...symbolKinds] },
  },
  codeAction: {
    dynamicRegistration: true,
    isPreferredSupport: true,
    disabledSupport: true,
    dataSupport: true,
    resolveSupport: { properties: ['edit'] },
    codeActionLiteralSupport: {
      codeActionKind: {
        valueSet: [
          '',
          'quickfix',
          'refactor',
          'refactor.extract',
          'refactor.inline',
          'refactor.rewrite',
          'source',
          'source.organizeImports',
          'source.fixAll',
        ],
      },
    },
  },
  foldingRange: { dynamicRegistration: true, lineFoldingOnly: true },
  formatting: dynamic,
  rangeFormatting: dynamic,
  rename: { dynamicRegistration: true, prepareSupport: true },
  callHierarchy: dynamic,
  typeHierarchy: dynamic,
  inlayHint: dynamic,
  semanticTokens: {
    dynamicRegistration: true,
    requests: { full: true, range: true },
    formats: ['relative'],
    tokenTypes: [
      ...['namespace', 'type', 'class', 'enum', 'interface', 'struct', 'typeParameter', 'parameter'],
      ...['variable', 'property', 'enumMember', 'event', 'function', 'method', 'macro', 'keyword'],
      ...['modifier', 'comment', 'string', 'number', 'regexp', 'operator', 'decorator'],
    ],
    tokenModifiers: [
      ...['declaration', 'definition', 'readonly', 'static', 'deprecated', 'abstract', 'async'],
      ...['modification', 'documentation', 'defaultLibrary'],
    ],
  },
};
