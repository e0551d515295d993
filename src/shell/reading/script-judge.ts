/**
 * Judges a script without running it.
 *
 * Invariant: every command is judged in every directory it may run in, with what is known of its words.
 */
import { posix } from 'node:path';
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import type {
  Assignment,
  ForCommand,
  IfCommand,
  ReadCommand,
  Script,
  ScriptStep,
  ShellCommand,
  ShellInput,
  ShellWord,
  Stage,
} from '../syntax/shell-list.ts';
import { changedDirectory, judgeCommand, refuseRead } from './command-judge.ts';
import { inputSource, pipeSource } from './name-source.ts';
import { printedText } from './printed-text.ts';
import { refuseEnvironment, refuseVariable, VariableScope } from './variable-scope.ts';
import { valuesOf } from './word-value.ts';

export function judgeScript(script: Script, root: string | undefined): ShellBoundary | undefined {
  return new ScriptJudge(root, [''], new VariableScope()).script(script);
}

class ScriptJudge {
  readonly #root: string | undefined;
  /** The directories in which commands may run, relative to the unknown initial one. */
  #bases: readonly string[];
  #scope: VariableScope;

  constructor(root: string | undefined, bases: readonly string[], scope: VariableScope) {
    this.#root = root;
    this.#bases = bases;
    this.#scope = scope;
  }

  script(script: Script): ShellBoundary | undefined {
    let before = this.#bases;
    for (const step of script) {
      // Unless a step depends on the success of all before it, it may also run in their initial directory.
      if (step.when !== 'success') this.#bases = union(before, this.#bases);
      else if (step.when === 'success' && isChange(step)) before = union(before, this.#bases);
      const refused = this.#step(step);
      if (refused) return refused;
    }
    return undefined;
  }

  #step({ pipeline, when }: ScriptStep): ShellBoundary | undefined {
    const [first] = pipeline;
    const change = pipeline.length === 1 && first?.kind === 'simple' ? this.#enter(first) : undefined;
    if (change !== undefined) return isBoundary(change) ? change : undefined;
    // In a pipeline every command has its own variables, and so has one that may not run.
    const isShared = pipeline.length === 1 && when === 'always';
    for (const [index, stage] of pipeline.entries()) {
      const judge = isShared ? this : this.#copy();
      const refused = judge.#stage(stage, pipeline.slice(0, index));
      if (refused) return refused;
      if (!isShared && pipeline.length === 1) this.#scope.blur(judge.#scope);
    }
    return undefined;
  }

  #copy(): ScriptJudge {
    return new ScriptJudge(this.#root, this.#bases, this.#scope.copy());
  }

  #nested(): (script: Script) => ShellBoundary | undefined {
    return (script) => this.#copy().script(script);
  }

  /** A change of directory; undefined if the command is not one. */
  #enter(command: ShellCommand): ShellBoundary | 'entered' | undefined {
    if (command.argv[0]?.text !== 'cd') return undefined;
    const words = this.#words(command.argv);
    if (isBoundary(words)) return words;
    const target = changedDirectory({ ...command, argv: words });
    if (target === undefined || target.opaque === 'text') {
      return boundary('directory-change', command.at, 'cd is read with one plain directory');
    }
    const { text } = target;
    const refused = refuseRead(
      { path: text, at: target.at },
      { bases: this.#bases, root: this.#root, kind: 'file' },
    );
    if (refused) return refused;
    // Of a directory that only the run knows, nothing above it is known to be inside.
    const entered = (base: string): string => (posix.isAbsolute(text) ? text : posix.join(base, text));
    this.#bases = target.opaque ? [''] : this.#bases.map(entered);
    return 'entered';
  }

  #stage(stage: Stage, before: readonly Stage[]): ShellBoundary | undefined {
    if (stage.kind === 'simple') return this.#simple(stage, before);
    const refused = this.#input(stage.input);
    if (refused) return refused;
    switch (stage.kind) {
      case 'group':
        return (stage.scope === 'own' ? this.#copy() : this).script(stage.body);
      case 'for':
        return this.#for(stage);
      case 'read':
        return this.#read(stage, before);
      case 'if':
        return this.#if(stage);
      case 'match': {
        const values = this.#words([stage.value]);
        return isBoundary(values) ? values : undefined;
      }
    }
  }

  #simple(command: ShellCommand, before: readonly Stage[]): ShellBoundary | undefined {
    const assigned = this.#assign(command);
    if (assigned) return assigned;
    if (command.argv.length === 0) return undefined;
    const refused = this.#input(command.input);
    if (refused) return refused;
    const argv = this.#words(command.argv);
    if (isBoundary(argv)) return argv;
    const endless = refuseCalculation(argv, command.input, before);
    if (endless) return endless;
    const verdict = judgeCommand(
      { ...command, argv },
      {
        bases: this.#bases,
        root: this.#root,
        source: before.length > 0 ? pipeSource(before) : inputSource(command.input),
        inputText: this.#printed(before),
      },
    );
    return isBoundary(verdict) ? verdict : undefined;
  }

  /** What the one command before a pipe prints, if its text shows it. */
  #printed(before: readonly Stage[]): string | undefined {
    const [first, ...more] = before;
    if (first?.kind !== 'simple' || more.length > 0) return undefined;
    const words = this.#words(first.argv);
    return isBoundary(words) ? undefined : printedText(words);
  }

  #assign({ assignments, argv }: ShellCommand): ShellBoundary | undefined {
    for (const assignment of assignments) {
      const refused = argv.length > 0 ? refuseEnvironment(assignment) : this.#setVariable(assignment);
      if (refused) return refused;
    }
    return undefined;
  }

  #setVariable({ name, value, at }: Assignment): ShellBoundary | undefined {
    const refused = refuseVariable({ name, at });
    if (refused) return refused;
    const values = valuesOf(value, this.#scope, this.#nested());
    if (isBoundary(values)) return values;
    const [word] = values;
    if (word === undefined || value.pattern)
      return boundary('assignment', at, 'a variable is given a pattern');
    this.#scope.set(
      name,
      word.opaque ? { opaque: word.opaque, prefix: prefixOf(value) } : { text: word.text },
    );
    return undefined;
  }

  #words(words: readonly ShellWord[]): readonly ShellWord[] | ShellBoundary {
    const made: ShellWord[] = [];
    for (const word of words) {
      const values = valuesOf(word, this.#scope, this.#nested());
      if (isBoundary(values)) return values;
      made.push(...values);
    }
    return made;
  }

  #input(input: ShellInput | undefined): ShellBoundary | undefined {
    if (input === undefined || input.kind === 'text') return undefined;
    if (input.kind === 'output') return this.#copy().script(input.script);
    const word = input.kind === 'word' ? input.word : input.path;
    const values = valuesOf(word, this.#scope, this.#nested());
    if (isBoundary(values)) return values;
    const [value, more] = values;
    if (value === undefined || more)
      return boundary('redirect', word.at, 'a redirect stands for several words');
    if (input.kind === 'word') return undefined;
    return refuseRead(
      { path: value.text, at: value.at },
      { bases: this.#bases, root: this.#root, kind: 'file' },
    );
  }

  #for({ name, words, after, body, at }: ForCommand): ShellBoundary | undefined {
    const refused = refuseVariable({ name, at });
    if (refused) return refused;
    const values = this.#words(words);
    if (isBoundary(values)) return values;
    const before = this.#scope.copy();
    for (const value of values.slice(0, maxJudged + 1)) {
      const known = value.pattern
        ? { opaque: 'name' as const, prefix: prefixOf(value) }
        : value.opaque
          ? { opaque: value.opaque, prefix: '' }
          : { text: value.text };
      this.#scope.set(name, values.length > maxJudged ? { opaque: 'text', prefix: '' } : known);
      const stopped = this.script(body);
      if (stopped) return stopped;
    }
    if (after !== undefined) this.#scope.set(name, { text: after });
    const isOpen = values.some(({ pattern, opaque }) => pattern || opaque);
    return isOpen ? this.#again(body, before, [name]) : undefined;
  }

  /** Judges a body as later rounds of its loop run it: a variable that it changed may hold anything. */
  #again(body: Script, first: VariableScope, names: readonly string[]): ShellBoundary | undefined {
    let before = first;
    for (let round = 0; round < maxRounds; round++) {
      this.#scope.blur(before, names);
      const start = this.#scope.copy();
      const refused = this.script(body);
      if (refused) return refused;
      // A round that starts as the last one did shows nothing new.
      if (start.equals(before)) return undefined;
      before = start;
    }
    return boundary(
      'assignment',
      body[0]?.pipeline[0]?.at ?? 0,
      'the variables of a loop depend on each other',
    );
  }

  #read({ names, body, input, at }: ReadCommand, before: readonly Stage[]): ShellBoundary | undefined {
    const opaque = input ? inputSource(input) : pipeSource(before);
    const outer = this.#scope.copy();
    for (const name of names) {
      // A field that is not used; the shell sets this name after every command.
      if (name === '_') continue;
      const refused = refuseVariable({ name, at });
      if (refused) return refused;
      this.#scope.set(name, { opaque: opaque ?? 'text', prefix: '' });
    }
    return this.script(body) ?? this.#again(body, outer, names);
  }

  #if({ branches, otherwise }: IfCommand): ShellBoundary | undefined {
    for (const { condition, body } of branches) {
      const refused = this.script(condition);
      if (refused) return refused;
      const branch = this.#copy();
      const stopped = branch.script(body);
      if (stopped) return stopped;
      this.#scope.blur(branch.#scope);
      this.#bases = union(this.#bases, branch.#bases);
    }
    return otherwise && this.#copy().script(otherwise);
  }
}

/** An expression for bc must be plain arithmetic: its language has loops. */
function refuseCalculation(
  argv: readonly ShellWord[],
  input: ShellInput | undefined,
  before: readonly Stage[],
): ShellBoundary | undefined {
  const [name] = argv;
  const source = before.at(-1);
  if (name?.text !== 'bc') return undefined;
  const given = source?.kind === 'simple' ? source.argv.slice(1) : [];
  const texts = input?.kind === 'text' ? [input.text] : given.map(({ text }) => text);
  const loops = texts.some((text) => /while|for|read|define|[{}]/.test(text));
  return loops ? boundary('script', name.at, 'the calculation may not end') : undefined;
}

/** More rounds than variables of a script depend on each other. */
const maxRounds = 10;

/** More words than this are judged as one unknown word. */
const maxJudged = 20;

function isChange({ pipeline: [first] }: ScriptStep): boolean {
  return first?.kind === 'simple' && first.argv[0]?.text === 'cd';
}

function union(first: readonly string[], second: readonly string[]): readonly string[] {
  return [...new Set([...first, ...second])];
}

/** The literal prefix of a word. */
function prefixOf({ parts, pattern }: ShellWord): string {
  const [first] = parts ?? pattern ?? [];
  return first && 'literal' in first ? first.literal : '';
}
