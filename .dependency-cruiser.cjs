/** The layer table of the source tree: a folder imports itself and the folders on its row, nothing else. */
const layers = {
  base: [],
  text: ['base'],
  process: ['base'],
  http: ['base'],
  model: ['base'],
  storage: ['base'],
  workspace: ['base', 'text', 'storage'],
  overlay: ['base', 'text', 'process', 'storage', 'workspace'],
  git: ['base', 'process', 'storage', 'workspace', 'overlay'],
  sandbox: ['base', 'process', 'storage', 'workspace', 'overlay'],
  lsp: ['base', 'text', 'process'],
  servers: ['base', 'text', 'process', 'storage', 'workspace', 'overlay', 'sandbox', 'lsp'],
  broker: ['base', 'process', 'text', 'storage', 'workspace', 'overlay', 'lsp', 'servers'],
  code: ['base', 'text', 'workspace', 'overlay', 'lsp', 'servers'],
  session: ['base', 'text', 'workspace', 'overlay', 'lsp', 'servers'],
  tools: [
    'base',
    'text',
    'process',
    'storage',
    'workspace',
    'overlay',
    'sandbox',
    'lsp',
    'servers',
    'code',
    'session',
  ],
  skills: ['base', 'workspace', 'tools'],
  agent: ['base', 'text', 'model', 'storage', 'workspace', 'overlay', 'sandbox', 'tools', 'skills'],
  speculation: ['base', 'storage', 'workspace', 'overlay', 'session', 'model', 'tools', 'agent'],
  terminal: ['base', 'text', 'model', 'tools', 'agent', 'speculation'],
  config: ['base', 'model', 'agent'],
  mcp: ['base', 'http', 'code', 'tools', 'skills'],
};

const layerRules = Object.entries(layers).map(([folder, allowed]) => ({
  name: `layer-${folder}`,
  severity: 'error',
  comment: `src/${folder} may import: ${['itself', ...allowed].join(', ')}`,
  from: { path: `^src/${folder}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'internal-stays-inside',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/internal/', pathNot: '^src/$1/internal/' },
    },
    {
      name: 'mcp-sdk-only-in-mcp',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/mcp/' },
      to: { path: 'node_modules/@modelcontextprotocol' },
    },
    {
      name: 'lsp-wire-types-only-in-lsp',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/lsp/' },
      to: { path: 'node_modules/vscode-(jsonrpc|languageserver)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
