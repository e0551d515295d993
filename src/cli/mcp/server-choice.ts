/** Turns the servers named in arguments into definitions. */
import { readFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { Failure, messageOf } from '../../base/failure.ts';
import { serverCatalogue } from '../../servers/catalogue.ts';
import { mergeServers, parseServerConfig, parseServerSpecs } from '../../servers/server-config.ts';
import type { ServerDefinition } from '../../servers/server-definition.ts';
import { hasProgram } from '../../servers/server-location.ts';
import type { ServerChoice } from './mcp-arguments.ts';

class UnreadableConfig extends Failure {
  readonly code = 'cli/unreadable-config';
  readonly remedy = 'Give the path of a readable JSON file.';
}

class ServerNotFound extends Failure {
  readonly code = 'cli/server-not-found';
  readonly remedy =
    'Install the server, add its directory to PATH, or give the path of its program: `forerun mcp go:/path/to/gopls`.';

  constructor(definitions: readonly ServerDefinition[]) {
    const named = definitions.map(({ command, languages }) => `"${command[0]}" for ${languages[0]}`);
    super(`server program not found or not executable: ${named.join(', ')}`);
  }
}

/** The directories in which the programs of named servers are searched at start. */
export interface ProgramPlaces {
  /** Workspaces that may supply programs. */
  readonly directories: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Fails if a path is not a program, or if none of the named servers is installed. */
export async function definitionsOf(
  choice: ServerChoice,
  places: ProgramPlaces,
): Promise<readonly ServerDefinition[] | 'detect'> {
  switch (choice.kind) {
    case 'detect':
      return 'detect';
    case 'specs':
      return present(parseServerSpecs(choice.specs), places);
    case 'single':
      return present(parseServerSpecs([`${choice.language}:${choice.command.join(',')}`]), places);
    case 'config': {
      const declaredIn = resolve(choice.file);
      const read = parseServerConfig(await readText(choice.file));
      // The path of the file may have come from the workspace, through the client.
      const named = read.map((definition) => ({ ...definition, declaredIn }));
      return choice.base === 'nothing' ? named : mergeServers(serverCatalogue, named);
    }
  }
}

/** A bare name may become available later: in a workspace opened later, or by installation. */
function present(
  definitions: readonly ServerDefinition[],
  places: ProgramPlaces,
): readonly ServerDefinition[] {
  const missing = definitions.filter((definition) => !hasProgram(definition, places));
  const paths = missing.filter(
    ({ command: [program = ''] }) => program.includes('/') || program.includes(sep),
  );
  if (paths.length > 0) throw new ServerNotFound(paths);
  if (missing.length > 0 && missing.length === definitions.length) throw new ServerNotFound(missing);
  return definitions;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UnreadableConfig(`cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
}
