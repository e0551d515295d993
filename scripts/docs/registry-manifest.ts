/**
 * What a release says of its address: the entry of the MCP registry (`server.json`), and the fields of `package.json` that the
 * registry and npm compare with it. The repository holds neither, since it does not know where it is published.
 */

export interface Published {
  /** Where the sources can be browsed and cloned. */
  readonly repository: string;
  /** The name in the MCP registry: a domain in reverse that the publisher owns, a slash, a name. */
  readonly mcpName: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** The registry takes no more than 100 characters. */
const description =
  'Shows what a change to code would do before it happens, by the language servers you use.';

export function serverManifest({ name, version }: Manifest, { repository, mcpName }: Published): object {
  if (!/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(mcpName)) {
    throw new Error(`${mcpName} is not a name of the registry: it has the form io.github.owner/name`);
  }
  const { host, protocol } = new URL(repository);
  if (protocol !== 'https:') throw new Error(`${repository} is not an https address`);
  return {
    $schema: schema,
    name: mcpName,
    title: 'Forerun',
    description,
    version,
    repository: { url: repository, source: host.replace(/\.[a-z]+$/, '') },
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'named', name: '--toolset', value: 'core' },
        ],
      },
    ],
  };
}

/** To be added to `package.json`: the registry accepts a package only if it names its entry. */
export function publishedFields({ repository, mcpName }: Published): object {
  return {
    mcpName,
    repository: { type: 'git', url: `git+${repository.replace(/(?:\.git)?$/, '.git')}` },
    bugs: { url: `${repository.replace(/\.git$/, '')}/issues` },
  };
}
