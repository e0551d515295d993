/**
 * Puts words together into commands, pipelines and a list.
 *
 * Invariant: a list holds at most `maxCommands` commands; a longer one is refused whole, never cut.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { refuseName } from './command-name.ts';
import type {
  OutputRedirect,
  ShellCommand,
  ShellInput,
  ShellList,
  ShellStep,
  ShellWord,
} from './shell-list.ts';
import { type Joiner, ShellScanner, type Token } from './shell-scanner.ts';

export function parseShellList(text: string): ShellList | ShellBoundary {
  const scanner = new ShellScanner(text);
  const draft = new ListDraft();
  for (;;) {
    const command = readCommand(scanner);
    if (isBoundary(command)) return command;
    const refused = draft.add(command);
    if (refused) return refused;
    if (command.closing.kind === 'end') return draft.finish(command.closing.at);
  }
}

const maxCommands = 20;

/** The words up to a joiner; no words where a line is empty. */
interface ReadCommand {
  readonly command: ShellCommand | undefined;
  readonly closing: Extract<Token, { kind: 'joiner' | 'end' }>;
}

function readCommand(scanner: ShellScanner): ReadCommand | ShellBoundary {
  const argv: ShellWord[] = [];
  const redirects: OutputRedirect[] = [];
  let input: ShellInput | undefined;
  for (;;) {
    const token = scanner.next();
    if (isBoundary(token)) return token;
    if (token.kind === 'word') argv.push(token.word);
    else if (token.kind === 'redirect') redirects.push(token.redirect);
    else if (token.kind === 'input') {
      if (input) return boundary('redirect', token.at, 'a command has two inputs');
      input = token.input;
    } else {
      const [name] = argv;
      if (name) {
        return refuseName(name) ?? { command: { argv, input, redirects, at: name.at }, closing: token };
      }
      if (input || redirects.length > 0) return boundary('redirect', token.at, 'a redirect has no command');
      return { command: undefined, closing: token };
    }
  }
}

/** The list as far as it has been read, and the joiner that waits for its next command. */
class ListDraft {
  readonly #steps: ShellStep[] = [];
  #pipeline: ShellCommand[] = [];
  #when: ShellStep['when'] = 'always';
  #waiting: Joiner | undefined;
  #count = 0;

  add({ command, closing }: ReadCommand): ShellBoundary | undefined {
    if (command === undefined) {
      // Empty lines may stand between commands, and after a joiner that goes on; nothing else may be empty.
      const mayBeEmpty = closing.kind === 'end' || closing.joiner === 'newline';
      return mayBeEmpty ? undefined : boundary('unfinished', closing.at, 'a command is missing before this');
    }
    this.#count += 1;
    if (this.#count > maxCommands) {
      return boundary('command-count', command.at, `there are more than ${maxCommands} commands`);
    }
    this.#pipeline.push(command);
    this.#waiting = closing.kind === 'joiner' ? closing.joiner : undefined;
    if (this.#waiting !== '|') this.#closeStep();
    return undefined;
  }

  finish(at: number): ShellList | ShellBoundary {
    if (this.#waiting === '|' || this.#waiting === '&&' || this.#waiting === '||') {
      return boundary('unfinished', at, 'a command is missing at the end');
    }
    return this.#steps.length > 0 ? this.#steps : boundary('empty', at, 'there is no command');
  }

  #closeStep(): void {
    this.#steps.push({ when: this.#when, pipeline: this.#pipeline });
    this.#pipeline = [];
    this.#when = this.#waiting === '&&' ? 'success' : this.#waiting === '||' ? 'failure' : 'always';
  }
}
