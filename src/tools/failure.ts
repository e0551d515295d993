/**
 * Failures of the tools themselves, and failures of lower layers in the words of a caller of tools.
 *
 * Invariant: the code of a failure never changes; a prefix does not change its remedy either.
 */
import { Failure, messageOf } from '../base/failure.ts';

export class MissingArgument extends Failure {
  readonly code = 'tools/missing-argument';
  readonly remedy: string;

  constructor(sentence: string, name: string) {
    super(sentence);
    this.remedy = `Call the tool again with "${name}".`;
  }
}

export class InvalidArgument extends Failure {
  readonly code = 'tools/invalid-argument';
  readonly remedy: string;

  constructor(sentence: string, remedy = 'Correct the argument and call the tool again.') {
    super(sentence);
    this.remedy = remedy;
  }
}

export class UnknownTool extends Failure {
  readonly code = 'tools/unknown-tool';
  readonly remedy = 'List the tools and call one of them by its name.';

  constructor(name: string) {
    super(`unknown tool: ${name}`);
  }
}

export class CallDenied extends Failure {
  readonly code = 'tools/denied';
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** Files changed on disk between reading and writing. */
export class EditConflict extends Failure {
  readonly code = 'tools/conflict';
  readonly remedy = 'Read the files again and repeat the edit on their current content.';
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    super(`conflict: changed on disk in the meantime: ${paths.join(', ')}`);
    this.paths = paths;
  }
}

/** A thrown value that is not a Failure; only its message is known. */
class Unexpected extends Failure {
  readonly code = 'tools/unexpected';
  readonly remedy = 'Repeat the call; if it fails again, report it with the arguments of the call.';

  constructor(thrown: unknown) {
    super(messageOf(thrown), { cause: thrown });
  }
}

/** A failure prefixed with the step in which it occurred. */
export class StepFailed extends Failure {
  readonly code: string;
  readonly remedy: string;

  constructor(step: string, failure: Failure) {
    super(`${step}: ${failure.message}`, { cause: failure });
    this.code = failure.code;
    this.remedy = failure.remedy;
  }
}

/** A failure of a lower layer, which names no tool, for a caller that can call one. */
class ToolWorded extends Failure {
  readonly code: string;
  readonly remedy: string;

  constructor(failure: Failure, { message, remedy }: ToolWords) {
    super(message?.(failure.message) ?? failure.message, { cause: failure });
    this.code = failure.code;
    this.remedy = remedy ?? failure.remedy;
  }
}

/** What differs from the failure itself. */
interface ToolWords {
  readonly message?: (own: string) => string;
  readonly remedy?: string;
}

/** By the code of the failure. */
const toolWords: ReadonlyMap<string, ToolWords> = new Map<string, ToolWords>([
  ['code/symbol-not-found', { message: (own) => `${own} Use list_symbols to see the names there are.` }],
  [
    'session/not-found',
    { remedy: 'Call list_sessions for the known ids, or create_simulation_session for a new one.' },
  ],
  [
    'servers/no-workspace',
    {
      message: () => 'LSP client not initialized; call start_lsp first',
      remedy:
        'Call start_lsp with root_dir, or name a file inside a project directory. A home directory and directories that all users share are opened only by their name.',
    },
  ],
  [
    'workspace/outside',
    {
      remedy:
        'Use a file inside the workspace root, call start_lsp with the root_dir of its workspace, or call add_workspace_folder to add its directory.',
    },
  ],
  [
    'servers/crashes-repeatedly',
    {
      remedy:
        'Fix what its last output says, then call restart_lsp_server; without that it is tried again a minute after its last crash.',
    },
  ],
  [
    'servers/root-folder',
    { remedy: 'Remove only folders that were added; to leave a workspace, start_lsp on another.' },
  ],
]);

export function asFailure(thrown: unknown): Failure {
  if (!(thrown instanceof Failure)) return new Unexpected(thrown);
  const words = toolWords.get(thrown.code);
  const isWorded = thrown instanceof StepFailed || thrown instanceof ToolWorded;
  return words && !isWorded ? new ToolWorded(thrown, words) : thrown;
}

/** The original failure without its step prefixes. */
export function rootOf(failure: Failure): Failure {
  return failure instanceof StepFailed && failure.cause instanceof Failure ? rootOf(failure.cause) : failure;
}
