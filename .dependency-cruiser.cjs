const { readdirSync } = require('node:fs');
const { dirname } = require('node:path').posix;
const layers = require('./.layers.cjs');

const layerRules = Object.entries(layers).map(([folder, allowed]) => ({
  name: `layer-${folder}`,
  severity: 'error',
  comment: `src/${folder} may import: ${['itself', ...allowed].join(', ')}`,
  from: { path: `^src/${folder}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
}));

/** Directories named `internal`, wherever they lie: only the directory around one may import from it. */
const internalRules = directoriesNamed('internal', 'src').map((directory) => ({
  name: `internal-${directory.replaceAll('/', '-')}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^${dirname(directory)}/` },
  to: { path: `^${directory}/` },
}));

function directoriesNamed(name, below) {
  return readdirSync(below, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const path = `${below}/${entry.name}`;
      return entry.name === name ? [path] : directoriesNamed(name, path);
    });
}

module.exports = {
  forbidden: [
    ...layerRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...internalRules,
    {
      name: 'web-imports-text-and-the-wire',
      severity: 'error',
      comment:
        'web/ may import src/text, src/base, the wire of src/editor and the data of the card in a chat',
      from: { path: '^web/' },
      to: {
        path: '^src/',
        pathNot: '^src/(text/|base/|editor/protocol(\\.ts$|/)|tools/what-if/what-if-card\\.ts$)',
      },
    },
    {
      name: 'only-web-imports-web',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
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
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
