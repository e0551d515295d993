/**
 * All commands that may run without confirmation, by name.
 *
 * Invariant: any other name is a boundary.
 */

import { gitRule } from '../script/git-command.ts';
import { binaryCommands } from '../table/binary-commands.ts';
import { fileCommands } from '../table/file-commands.ts';
import { networkCommands } from '../table/network-commands.ts';
import { searchCommands } from '../table/search-commands.ts';
import { systemCommands } from '../table/system-commands.ts';
import { textCommands } from '../table/text-commands.ts';
import { toolchainCommands } from '../table/toolchain-commands.ts';
import { viewerCommands } from '../table/viewer-commands.ts';
import type { CommandRule } from './command-rule.ts';

export const commandTable: ReadonlyMap<string, CommandRule> = new Map([
  ...fileCommands,
  ...textCommands,
  ...searchCommands,
  ...systemCommands,
  ...toolchainCommands,
  ...binaryCommands,
  ...viewerCommands,
  ...networkCommands,
  ['git', gitRule],
]);
