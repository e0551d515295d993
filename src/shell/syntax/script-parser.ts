/**
 * The grammar of scripts, by recursive descent.
 *
 * Invariant: a keyword is accepted only where the grammar below allows it; anywhere else at the start of a command it
 * is refused.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { readConditions } from './condition-parser.ts';
import { readCounting } from './counting-head.ts';
import { readHead } from './read-head.ts';
import { type RedirectTail, readTail } from './redirect-tail.ts';
import type { NestedScripts, Scanned } from './scanned.ts';
import type { ForCommand, IfBranch, Script, ScriptStep, ShellWord, Stage } from './shell-list.ts';
import { ShellScanner, type Token } from './shell-scanner.ts';
import { atOf, readSimple } from './simple-command.ts';

const maxCommands = 20;
const maxDepth = 8;

/** The condition of the command after a joiner; after all others it always runs. */
const conditions: Readonly<Record<string, ScriptStep['when']>> = { '&&': 'success', '||': 'failure' };

/** The state shared by the parsers of one text: the number of commands so far. */
interface Budget {
  commands: number;
}

export class ScriptParser {
  readonly #text: string;
  readonly #scanner: ShellScanner;
  readonly #budget: Budget;
  readonly #depth: number;

  constructor(text: string, at = 0, budget: Budget = { commands: 0 }, depth = 0) {
    this.#text = text;
    this.#budget = budget;
    this.#depth = depth;
    this.#scanner = new ShellScanner(text, at, this.#nested());
  }

  whole(): Script | ShellBoundary {
    const script = this.#script([]);
    if (isBoundary(script)) return script;
    const token = this.#scanner.next();
    if (isBoundary(token)) return token;
    if (token.kind !== 'end') return boundary('grouping', atOf(token), 'a parenthesis stands outside quotes');
    return script.length > 0 ? script : boundary('empty', token.at, 'there is no command');
  }

  /** The script up to the parenthesis that closes it. */
  parenthesised(form: 'output' | 'file'): Scanned<Script> | ShellBoundary {
    const script = (form === 'output' ? this.#fileContent() : undefined) ?? this.#script([]);
    if (isBoundary(script)) return script;
    const token = this.#scanner.next();
    if (isBoundary(token)) return token;
    if (token.kind !== 'close') return boundary('unfinished', atOf(token), 'a parenthesis is not closed');
    if (script.length === 0) return boundary('empty', token.at, 'there is no command');
    return { value: script, end: this.#scanner.at };
  }

  /** `$(< file)` is the content of the file; undefined if the script is another one. */
  #fileContent(): Script | undefined {
    const token = this.#scanner.peek();
    if (isBoundary(token) || token.kind !== 'input' || token.input.kind !== 'file') return undefined;
    this.#scanner.next();
    const { at, input } = token;
    const cat: ShellWord = { text: 'cat', at, bare: true, pattern: undefined };
    const reader = { kind: 'simple', argv: [cat], input, redirects: [], assignments: [], at } as const;
    return [{ when: 'always', negated: false, pipeline: [reader] }];
  }

  #nested(): NestedScripts {
    const inner = (text: string, at: number): ScriptParser | ShellBoundary =>
      this.#depth >= maxDepth
        ? boundary('grouping', at, 'the text is nested too deeply')
        : new ScriptParser(text, at, this.#budget, this.#depth + 1);
    return {
      parenthesised: (at, form) => {
        const parser = inner(this.#text, at);
        return isBoundary(parser) ? parser : parser.parenthesised(form);
      },
      whole: (text, at) => {
        // Blanks replace the preceding text, so that positions are those of the whole text.
        const parser = inner(' '.repeat(at) + text, at);
        return isBoundary(parser) ? parser : parser.whole();
      },
    };
  }

  /** Steps up to one of the words in `stops` at the start of a command, a closing parenthesis, or the end. */
  #script(stops: readonly string[]): Script | ShellBoundary {
    const steps: ScriptStep[] = [];
    let when: ScriptStep['when'] = 'always';
    let isOpen = false;
    for (;;) {
      this.#skipLines();
      const token = this.#scanner.peek();
      if (isBoundary(token)) return token;
      if (this.#isStop(token, stops)) {
        return isOpen ? boundary('unfinished', atOf(token), 'a command is missing at the end') : steps;
      }
      const step = this.#step(when);
      if (isBoundary(step)) return step;
      steps.push(step);
      const joiner = this.#joiner();
      if (isBoundary(joiner)) return joiner;
      when = conditions[joiner ?? ''] ?? 'always';
      isOpen = when !== 'always';
    }
  }

  #isStop(token: Token, stops: readonly string[]): boolean {
    if (token.kind === 'word') return token.word.bare && stops.includes(token.word.text);
    return token.kind === 'end' || token.kind === 'close';
  }

  /** The joiner between two steps; undefined at the end of the list. */
  #joiner(): string | undefined | ShellBoundary {
    const token = this.#scanner.peek();
    if (isBoundary(token)) return token;
    if (token.kind !== 'joiner') {
      const mayEnd = token.kind === 'end' || token.kind === 'close';
      return mayEnd ? undefined : boundary('operator', atOf(token), 'a command goes on behind its end');
    }
    this.#scanner.next();
    return token.joiner;
  }

  #step(when: ScriptStep['when']): ScriptStep | ShellBoundary {
    const timed = this.#timed();
    const negated = this.#takeWord('!');
    const pipeline = this.#pipeline();
    return isBoundary(pipeline) ? pipeline : { when, negated, ...timed, pipeline };
  }

  #timed(): Pick<ScriptStep, 'timed'> {
    if (!this.#takeWord('time')) return {};
    return { timed: this.#takeWord('-p') ? 'posix' : 'bash' };
  }

  #pipeline(): readonly Stage[] | ShellBoundary {
    const pipeline: Stage[] = [];
    for (;;) {
      const stage = this.#stage();
      if (isBoundary(stage)) return stage;
      const token = this.#scanner.peek();
      if (isBoundary(token)) return token;
      const joiner = token.kind === 'joiner' ? token.joiner : undefined;
      const piped = joiner === '|&' ? withErrorsPiped(stage, atOf(token)) : stage;
      if (isBoundary(piped)) return piped;
      pipeline.push(piped);
      if (joiner !== '|' && joiner !== '|&') return pipeline;
      this.#scanner.next();
      this.#skipLines();
    }
  }

  #skipLines(): void {
    for (;;) {
      const token = this.#scanner.peek();
      if (isBoundary(token) || token.kind !== 'joiner' || token.joiner !== 'newline') return;
      this.#scanner.next();
    }
  }

  #stage(): Stage | ShellBoundary {
    const token = this.#scanner.peek();
    if (isBoundary(token)) return token;
    const at = atOf(token);
    this.#budget.commands += 1;
    if (this.#budget.commands > maxCommands) {
      return boundary('command-count', at, `there are more than ${maxCommands} commands`);
    }
    if (token.kind === 'open') return this.#subshell(at);
    if (token.kind === 'joiner') return boundary('unfinished', at, 'a command is missing before this');
    const isPlain = token.kind === 'word' && token.word.bare && token.more.length === 0;
    return (isPlain ? this.#compound(token.word.text, at) : undefined) ?? readSimple(this.#scanner);
  }

  /** The compound command that a keyword starts; undefined if the word is none. */
  #compound(keyword: string, at: number): Stage | ShellBoundary | undefined {
    switch (keyword) {
      case '{':
        return this.#group(at);
      case 'for':
        return this.#for(at);
      case 'while':
        return this.#while(at);
      case 'if':
        return this.#if(at);
      case '[[':
        return this.#conditions();
      default:
        return undefined;
    }
  }

  #conditions(): Stage | ShellBoundary {
    const conditions = readConditions(this.#scanner);
    if (isBoundary(conditions)) return conditions;
    const { stage, count } = conditions;
    this.#budget.commands += count;
    return this.#closed(stage);
  }

  #subshell(at: number): Stage | ShellBoundary {
    this.#scanner.next();
    const body = this.#body([]);
    if (isBoundary(body)) return body;
    const token = this.#scanner.next();
    if (isBoundary(token)) return token;
    if (token.kind !== 'close') return boundary('unfinished', at, 'a parenthesis is not closed');
    return this.#closed({ kind: 'group', scope: 'own', body, at });
  }

  #group(at: number): Stage | ShellBoundary {
    this.#scanner.next();
    const body = this.#body(['}']);
    if (isBoundary(body)) return body;
    return this.#word('}') ?? this.#closed({ kind: 'group', scope: 'shared', body, at });
  }

  #for(at: number): Stage | ShellBoundary {
    this.#scanner.next();
    const head = readCounting(this.#scanner) ?? this.#forHead();
    if (isBoundary(head)) return head;
    const body = this.#loopBody();
    return isBoundary(body) ? body : this.#closed({ kind: 'for', ...head, body, at });
  }

  /** The variable and the words of `for name in words`. */
  #forHead(): Pick<ForCommand, 'name' | 'words'> | ShellBoundary {
    const name = this.#name();
    if (isBoundary(name)) return name;
    const missing = this.#word('in');
    if (missing) return missing;
    const words: ShellWord[] = [];
    for (;;) {
      const token = this.#scanner.next();
      if (isBoundary(token)) return token;
      if (token.kind === 'word') words.push(token.word, ...token.more);
      else if (token.kind === 'joiner' && (token.joiner === ';' || token.joiner === 'newline'))
        return { name, words };
      else return boundary('keyword', atOf(token), 'the words of a loop end here');
    }
  }

  /** Only a loop over the lines of its input. */
  #while(at: number): Stage | ShellBoundary {
    this.#scanner.next();
    const head = readSimple(this.#scanner);
    if (isBoundary(head)) return head;
    const read = readHead(head);
    if (isBoundary(read)) return read;
    const token = this.#scanner.next();
    if (isBoundary(token)) return token;
    const isSeparated = token.kind === 'joiner' && (token.joiner === ';' || token.joiner === 'newline');
    if (!isSeparated) return boundary('keyword', atOf(token), 'the condition of a loop is one read');
    const body = this.#loopBody();
    return isBoundary(body) ? body : this.#closed({ kind: 'read', ...read, body, at });
  }

  #if(at: number): Stage | ShellBoundary {
    const branches: IfBranch[] = [];
    for (;;) {
      this.#scanner.next();
      const branch = this.#branch();
      if (isBoundary(branch)) return branch;
      branches.push(branch);
      const token = this.#scanner.peek();
      if (isBoundary(token)) return token;
      if (token.kind !== 'word' || token.word.text !== 'elif') break;
    }
    const otherwise = this.#takeWord('else') ? this.#body(['fi']) : undefined;
    if (otherwise && isBoundary(otherwise)) return otherwise;
    return this.#word('fi') ?? this.#closed({ kind: 'if', branches, otherwise, at });
  }

  /** The condition and body after `if` or `elif`. */
  #branch(): IfBranch | ShellBoundary {
    const condition = this.#body(['then']);
    if (isBoundary(condition)) return condition;
    const missing = this.#word('then');
    if (missing) return missing;
    const body = this.#body(['elif', 'else', 'fi']);
    return isBoundary(body) ? body : { condition, body };
  }

  #loopBody(): Script | ShellBoundary {
    this.#skipLines();
    const missing = this.#word('do');
    if (missing) return missing;
    const body = this.#body(['done']);
    if (isBoundary(body)) return body;
    return this.#word('done') ?? body;
  }

  /** A script that is not empty. */
  #body(stops: readonly string[]): Script | ShellBoundary {
    const script = this.#script(stops);
    if (isBoundary(script) || script.length > 0) return script;
    const token = this.#scanner.peek();
    return isBoundary(token) ? token : boundary('empty', atOf(token), 'there is no command');
  }

  /** Redirects may follow a compound command. */
  #closed<T extends object>(command: T): (T & RedirectTail) | ShellBoundary {
    const tail = readTail(this.#scanner);
    return isBoundary(tail) ? tail : { ...command, ...tail };
  }

  #name(): string | ShellBoundary {
    const token = this.#scanner.next();
    if (isBoundary(token)) return token;
    if (token.kind === 'word' && token.word.bare && /^[a-z_]\w*$/i.test(token.word.text))
      return token.word.text;
    return boundary('keyword', atOf(token), 'the name of a variable is missing');
  }

  #takeWord(text: string): boolean {
    const token = this.#scanner.peek();
    if (isBoundary(token) || token.kind !== 'word' || !token.word.bare || token.word.text !== text)
      return false;
    this.#scanner.next();
    return true;
  }

  #word(text: string): ShellBoundary | undefined {
    if (this.#takeWord(text)) return undefined;
    const token = this.#scanner.peek();
    return isBoundary(token) ? token : boundary('unfinished', atOf(token), `${text} is missing`);
  }
}

/** A command whose errors go into the pipe too. */
function withErrorsPiped(stage: Stage, at: number): Stage | ShellBoundary {
  if (stage.kind !== 'simple') return boundary('operator', at, '|& follows a group');
  return { ...stage, redirects: [...stage.redirects, '2>&1'], errorsPiped: true };
}
