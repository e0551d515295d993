/**
 * Documentation printed by a language's own tools.
 *
 * Invariant: commands are argument vectors from a fixed table, nothing of the workspace is executed, nothing is
 * downloaded, and a symbol is never read as an option.
 */
import { tmpdir } from 'node:os';
import { Failure } from '../../../base/failure.ts';
import { runCommand } from '../../../process/run-command.ts';
import type { SymbolDocumentation } from './symbol-documentation.ts';

export interface ToolchainRequest {
  readonly language: string;
  readonly symbol: string;
  /** The module of the caller's file, for languages that resolve names from there. */
  readonly module: GoModule | undefined;
  /** The search path for the tools; it must not lead to programs of an untrusted workspace. */
  readonly env: NodeJS.ProcessEnv;
}

/** The module and package of a Go file. */
export interface GoModule {
  readonly root: string;
  readonly package: string;
}

/** The documentation, or a sentence why there is none. */
export async function toolchainDocumentation(
  request: ToolchainRequest,
  signal: AbortSignal,
): Promise<SymbolDocumentation | string> {
  const toolchain = toolchains[request.language];
  if (!toolchain) return `unsupported language: ${request.language}`;
  const commands = toolchain.commands(request);
  if (commands.length === 0) return `not a name in ${request.language}: ${request.symbol}`;
  const until = performance.now() + limitMs;
  let problem = '';
  for (const { command, cwd } of commands) {
    const remainingMs = until - performance.now();
    if (remainingMs <= 0) return `timed out after ${limitMs / 1000} s`;
    const printed = await printedBy(command, { cwd, env: request.env, timeoutMs: remainingMs }, signal);
    if (printed.kind === 'doc') {
      return { source: 'toolchain', doc: printed.text, signature: toolchain.signature(printed.text) };
    }
    problem ||= printed.text;
  }
  return problem;
}

const limitMs = 10_000;

interface Toolchain {
  /** Tried in order until one prints documentation. */
  commands(request: ToolchainRequest): readonly Command[];
  signature(doc: string): string;
}

interface Command {
  readonly command: readonly string[];
  readonly cwd: string;
}

const toolchains: Readonly<Record<string, Toolchain>> = {
  go: {
    commands: ({ symbol, module }) => {
      // A path would name a package outside the module.
      if (!/^[\w.~/*()-]+$/.test(symbol) || /^[/~.]|\.\./.test(symbol)) return [];
      const cwd = module?.root ?? tmpdir();
      const bare = { command: ['go', 'doc', symbol], cwd };
      return module ? [{ command: ['go', 'doc', module.package, symbol], cwd }, bare] : [bare];
    },
    signature: (doc) => /^(?:func|type|var|const)\b.*$/m.exec(doc)?.[0] ?? '',
  },
  python: {
    // Isolated mode: importing a module of the workspace would execute it.
    commands: ({ symbol }) =>
      /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(symbol)
        ? [{ command: ['python3', '-I', '-m', 'pydoc', symbol], cwd: tmpdir() }]
        : [],
    signature: (doc) =>
      doc.split('\n').find((line) => line.trim() !== '' && !/^Help on .*:$/.test(line)) ?? '',
  },
};

interface Printed {
  readonly kind: 'doc' | 'problem';
  readonly text: string;
}

async function printedBy(
  command: readonly string[],
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<Printed> {
  try {
    const env = { ...place.env, ...quietEnvironment };
    const options = { command, ...place, env, maxOutputBytes };
    const result = await runCommand(options, signal);
    if (result.timedOut) return { kind: 'problem', text: `timed out after ${limitMs / 1000} s` };
    const text = plain(result.stdout);
    if (result.code === 0 && text !== '' && !/^No Python documentation found/.test(text)) {
      return { kind: 'doc', text };
    }
    const problem = plain(result.stderr) || text || `${command[0]} exited with code ${result.code}`;
    return { kind: 'problem', text: problem.split('\n')[0] ?? problem };
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof Failure)) throw thrown;
    return { kind: 'problem', text: thrown.message };
  }
}

const maxOutputBytes = 512 * 1024;

/** No pager, no colours, no downloads. */
const quietEnvironment = {
  PAGER: 'cat',
  MANPAGER: 'cat',
  TERM: 'dumb',
  NO_COLOR: '1',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
};

function plain(output: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
  return output.replace(/\u001b\[[0-9;?]*[A-Za-z]|.\u0008/g, '').trim();
}
