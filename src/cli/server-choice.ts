/** Turns the servers a user named into definitions, reading what they point to. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure, messageOf } from '../base/failure.ts';
import { catalogue } from '../servers/catalogue.ts';
import { mergeServers, parseServerConfig, parseServerSpecs } from '../servers/server-config.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import type { ServerChoice } from './mcp-arguments.ts';

class UnreadableConfig extends Failure {
  readonly code = 'cli/unreadable-config';
  readonly remedy = 'Give the path of a readable JSON file.';
}

export async function definitionsOf(choice: ServerChoice): Promise<readonly ServerDefinition[] | 'detect'> {
  switch (choice.kind) {
    case 'detect':
      return 'detect';
    case 'specs':
      return parseServerSpecs(choice.specs);
    case 'single':
      return parseServerSpecs([`${choice.language}:${choice.command.join(',')}`]);
    case 'config': {
      const declaredIn = resolve(choice.file);
      const read = parseServerConfig(await readText(choice.file));
      // A client may have taken the name of the file from the workspace it works in.
      const named = read.map((definition) => ({ ...definition, declaredIn }));
      return choice.base === 'nothing' ? named : mergeServers(catalogue, named);
    }
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UnreadableConfig(`cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
}
