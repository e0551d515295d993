/**
 * Runs a script that was classified as read-only.
 *
 * Invariant: commands are started by their argument vectors; loops, groups and fan-outs are interpreted here. Data
 * between parts that are not connected by a system pipe is held in bounded buffers.
 */
import { resolve } from 'node:path';
import { OutputCapture } from '../../process/output-capture.ts';
import { boundary, isBoundary, type ShellBoundary } from '../../shell/boundary.ts';
import { changedDirectory, judgeCommand } from '../../shell/reading/command-judge.ts';
import { commandFor, type FanOut, readFanOut } from '../../shell/reading/fan-out.ts';
import { unwrapped } from '../../shell/reading/wrapper.ts';
import type {
  ForCommand,
  MatchCommand,
  ReadCommand,
  Script,
  ScriptStep,
  ShellCommand,
  ShellWord,
  Stage,
} from '../../shell/syntax/shell-list.ts';
import { placeCommand } from './command-world.ts';
import { patternExpression } from './file-pattern.ts';
import { batchesOf } from './item-list.ts';
import { inputFields, inputLines } from './line-fields.ts';
import { type ReadyCommand, runPipeline } from './pipeline-run.ts';
import { providedPath } from './provided-file.ts';
import { type ReadyInput, readyCommand, refuseSpecialFiles } from './ready-command.ts';
import { durationLines } from './run-duration.ts';
import { nowhere, type RunContext, redirected, type Sink, type Streams } from './run-streams.ts';
import { isBuiltin, runBuiltin } from './shell-builtin.ts';
import { runText, runWords, type WordPlace } from './word-run.ts';

const maxHeldBytes = 8 * 1024 * 1024;

export class ScriptRun {
  readonly #context: RunContext;
  readonly #variables: Map<string, string>;
  #cwd: string;
  #code: number | undefined = 0;

  constructor(context: RunContext, cwd: string, variables: ReadonlyMap<string, string> = new Map()) {
    this.#context = context;
    this.#cwd = cwd;
    this.#variables = new Map(variables);
  }

  get code(): number | undefined {
    return this.#code;
  }

  async script(script: Script, streams: Streams): Promise<ShellBoundary | undefined> {
    let { input } = streams;
    for (const step of script) {
      if (step.when === 'success' && this.#code !== 0) continue;
      if (step.when === 'failure' && this.#code === 0) continue;
      const refused = await this.#step(step, { ...streams, input });
      if (refused) return refused;
      this.#context.signal.throwIfAborted();
      // Input read by one command is not available to the next.
      input = undefined;
    }
    return undefined;
  }

  async #step(
    { pipeline, negated, timed }: ScriptStep,
    streams: Streams,
  ): Promise<ShellBoundary | undefined> {
    const startedAt = performance.now();
    const refused = await this.#pipeline(pipeline, streams);
    if (refused) return refused;
    if (negated) this.#code = this.#code === 0 ? 1 : 0;
    if (timed) streams.stderr.append(Buffer.from(durationLines(performance.now() - startedAt, timed)));
    return undefined;
  }

  async #pipeline(pipeline: readonly Stage[], streams: Streams): Promise<ShellBoundary | undefined> {
    let { input } = streams;
    for (let index = 0; index < pipeline.length; ) {
      const count = this.#joinable(pipeline.slice(index));
      const isLast = index + count >= pipeline.length;
      const held = isLast ? undefined : this.#hold();
      const part = { ...streams, input, stdout: held ?? streams.stdout };
      const stages = pipeline.slice(index, index + count);
      const refused = await this.#part(stages, part, pipeline.length > 1 ? 'own' : 'shared');
      if (refused) return refused;
      input = held?.bytes();
      index += count;
    }
    return undefined;
  }

  /** The number of following commands that can be connected by system pipes; one if the first is interpreted here. */
  #joinable(stages: readonly Stage[]): number {
    const isOurs = (stage: Stage): boolean => stage.kind !== 'simple' || isWalked(stage);
    const end = stages.findIndex(isOurs);
    return end < 0 ? stages.length : Math.max(1, end);
  }

  #hold(): OutputCapture {
    return new OutputCapture({ maxBytes: maxHeldBytes, keep: 'start', onFull: this.#context.onFull });
  }

  async #part(
    stages: readonly Stage[],
    streams: Streams,
    scope: 'own' | 'shared',
  ): Promise<ShellBoundary | undefined> {
    const commands = stages.filter((stage) => stage.kind === 'simple');
    const [first] = stages;
    if (first === undefined) return undefined;
    if (commands.length === stages.length && !isWalked(first)) return this.#start(commands, streams);
    const run = scope === 'shared' ? this : this.#fork();
    const refused = await run.#walk(first, streams);
    this.#code = run.#code;
    return refused;
  }

  #fork(): ScriptRun {
    return new ScriptRun(this.#context, this.#cwd, this.#variables);
  }

  async #walk(stage: Stage, outer: Streams): Promise<ShellBoundary | undefined> {
    const input = await this.#input(stage, outer.stderr);
    if (isBoundary(input)) return input;
    if (input === 'unreadable') return undefined;
    const streams = redirected({ ...outer, input: input ?? outer.input }, stage.redirects);
    switch (stage.kind) {
      case 'simple':
        return this.#simple(stage, streams);
      case 'group': {
        const run = stage.scope === 'own' ? this.#fork() : this;
        const refused = await run.script(stage.body, streams);
        this.#code = run.#code;
        return refused;
      }
      case 'for':
        return this.#for(stage, streams);
      case 'read':
        return this.#read(stage, streams);
      case 'if':
        return this.#if(stage, streams);
      case 'match':
        return this.#match(stage);
    }
  }

  async #match({ value, pattern, negated }: MatchCommand): Promise<ShellBoundary | undefined> {
    const text = await runText(value, this.#place());
    if (isBoundary(text)) return text;
    this.#code = patternExpression(pattern).test(text) === negated ? 1 : 0;
    return undefined;
  }

  async #for({ name, words, after, body }: ForCommand, streams: Streams): Promise<ShellBoundary | undefined> {
    const values = await runWords(words, this.#place());
    if (isBoundary(values)) return values;
    this.#code = 0;
    for (const { text } of values) {
      this.#variables.set(name, text);
      const refused = await this.script(body, { ...streams, input: undefined });
      if (refused) return refused;
    }
    if (after !== undefined) this.#variables.set(name, after);
    return undefined;
  }

  async #read(
    { names, separators, raw, end, body }: ReadCommand,
    { input, ...streams }: Streams,
  ): Promise<ShellBoundary | undefined> {
    this.#code = 0;
    for (const line of inputLines(input ?? Buffer.alloc(0), end)) {
      if (!raw && line.includes('\\'))
        return boundary('keyword', 0, 'a line contains a backslash, which read interprets; use read -r');
      const fields = inputFields(line, { names, separators });
      for (const [index, name] of names.entries()) this.#variables.set(name, fields[index] ?? '');
      const refused = await this.script(body, { ...streams, input: undefined });
      if (refused) return refused;
    }
    return undefined;
  }

  async #if(
    { branches, otherwise }: Extract<Stage, { kind: 'if' }>,
    streams: Streams,
  ): Promise<ShellBoundary | undefined> {
    for (const { condition, body } of branches) {
      const refused = await this.script(condition, streams);
      if (refused) return refused;
      if (this.#code === 0) return this.script(body, streams);
    }
    this.#code = 0;
    return otherwise && this.script(otherwise, streams);
  }

  /** A simple command that is not a separate program. */
  async #simple(command: ShellCommand, streams: Streams): Promise<ShellBoundary | undefined> {
    if (command.argv.length === 0) return this.#assign(command);
    const argv = await runWords(command.argv, this.#place());
    if (isBoundary(argv)) return argv;
    if (argv[0]?.text === 'cd') return this.#enter({ ...command, argv }, streams);
    const fanOut = readFanOut(unwrapped(argv));
    if (isBoundary(fanOut)) return fanOut;
    const file = fanOut?.from === 'input' ? fanOut.file : undefined;
    const source = file ? undefined : ('name' as const);
    const place = { bases: [this.#cwd], root: this.#context.world.root, source };
    const verdict = judgeCommand({ ...command, argv, input: undefined }, place);
    if (isBoundary(verdict)) return verdict;
    if (fanOut) return this.#fanOut(fanOut, { ...command, argv }, streams);
    const answer = runBuiltin(
      argv.map(({ text }) => text),
      this.#context.world,
    );
    streams.stdout.append(Buffer.from(answer?.stdout ?? ''));
    streams.stderr.append(Buffer.from(answer?.stderr ?? ''));
    this.#code = answer?.code ?? 1;
    return undefined;
  }

  async #assign({ assignments }: ShellCommand): Promise<ShellBoundary | undefined> {
    this.#code = 0;
    for (const { name, value } of assignments) {
      const text = await runText(value, this.#place());
      if (isBoundary(text)) return text;
      this.#variables.set(name, text);
    }
    return undefined;
  }

  async #enter(command: ShellCommand, { stderr }: Streams): Promise<ShellBoundary | undefined> {
    const target = changedDirectory(command);
    if (target === undefined)
      return boundary('directory-change', command.at, 'cd must have one plain directory');
    const { world } = this.#context;
    const refused = await refuseSpecialFiles(
      { reads: [{ path: target.text, at: target.at }], entries: [] },
      { world, cwd: this.#cwd },
    );
    if (refused) return refused;
    const directory = resolve(this.#cwd, target.text);
    const isThere = await world.view.isDirectory(directory);
    if (isThere) this.#cwd = directory;
    else stderr.append(Buffer.from(`cd: ${target.text}: No such directory\n`));
    this.#code = isThere ? 0 : 1;
    return undefined;
  }

  /** Lists the names, then starts the command for them. */
  async #fanOut(fanOut: FanOut, command: ShellCommand, streams: Streams): Promise<ShellBoundary | undefined> {
    const listed = await this.#listed(fanOut, command, streams);
    if (isBoundary(listed)) return listed;
    if (fanOut.from === 'input' && fanOut.file && this.#code !== 0) return undefined;
    let failed = fanOut.from === 'find' && this.#code !== 0;
    const batches = batchesOf(listed, fanOut);
    if (isBoundary(batches)) return batches;
    for (const names of batches) {
      const refused = await this.#batch(names, fanOut, { command, streams });
      if (refused) return refused;
      failed ||= this.#code !== 0;
      this.#context.signal.throwIfAborted();
    }
    const ends = fanOut.from === 'find' ? (fanOut.perCall === undefined ? 1 : 0) : 123;
    this.#code = failed ? ends : 0;
    return undefined;
  }

  /** Starts the command of a fan-out for some names. */
  async #batch(
    names: readonly string[],
    fanOut: FanOut,
    { command, streams }: { readonly command: ShellCommand; readonly streams: Streams },
  ): Promise<ShellBoundary | undefined> {
    const option = names.find((name) => name.startsWith('-'));
    if (option !== undefined) return boundary('option', command.at, `a name became the option ${option}`);
    const started = { ...command, argv: commandFor(fanOut, names), redirects: [], input: undefined };
    const refused = await this.#start([started], { ...streams, input: undefined });
    const ending = fanOut.from === 'find' && this.#code === 0 ? fanOut.prints : undefined;
    if (ending) streams.stdout.append(Buffer.from(`${names[0] ?? ''}${ending}`));
    return refused;
  }

  /** The names: those that find prints, those in the list of xargs, or the input. */
  async #listed(fanOut: FanOut, command: ShellCommand, streams: Streams): Promise<Buffer | ShellBoundary> {
    if (fanOut.from === 'input' && fanOut.file === undefined) return streams.input ?? Buffer.alloc(0);
    const held = this.#hold();
    const file = fanOut.from === 'input' ? fanOut.file : undefined;
    const argv = fanOut.from === 'find' ? fanOut.lister : catWords(command.at);
    const input = file && ({ kind: 'file', path: file } as const);
    const lister = { ...command, argv, redirects: [], assignments: [], input };
    const refused = await this.#start([lister], { ...streams, input: undefined, stdout: held });
    return refused ?? held.bytes();
  }

  /** Starts commands connected by pipes. */
  async #start(commands: readonly ShellCommand[], streams: Streams): Promise<ShellBoundary | undefined> {
    const { world, signal } = this.#context;
    const ready: ReadyCommand[] = [];
    for (const command of commands) {
      const made = await this.#ready(command);
      if (isBoundary(made)) return made;
      const isFed = ready.length === 0 && made.input === undefined && streams.input !== undefined;
      ready.push(isFed && streams.input ? { ...made, input: { kind: 'text', text: streams.input } } : made);
    }
    const place = (command: readonly string[]) => placeCommand(world, command, this.#cwd);
    const { stdout, stderr } = streams;
    this.#code = await runPipeline({ commands: ready, place, stdout, stderr }, signal);
    signal.throwIfAborted();
    return undefined;
  }

  async #ready(command: ShellCommand): Promise<ReadyCommand | ShellBoundary> {
    const files: Buffer[] = [];
    const argv = await runWords(command.argv, this.#place(files));
    if (isBoundary(argv)) return argv;
    const output = command.input?.kind === 'output' ? await this.#output(command.input.script) : undefined;
    const input = isBoundary(output) ? output : await this.#readyInput(command);
    if (isBoundary(input)) return input;
    const place = { world: this.#context.world, cwd: this.#cwd };
    const made = await readyCommand({ ...command, argv, input }, place, this.#context.signal);
    if (isBoundary(made)) return made;
    const fed = output && !isBoundary(output) ? { input: { kind: 'text', text: output } as const } : {};
    return { ...made, ...fed, files };
  }

  /** Everything that a script prints. */
  async #output(script: Script): Promise<Buffer | ShellBoundary> {
    const held = this.#hold();
    const refused = await this.#fork().script(script, { input: undefined, stdout: held, stderr: nowhere });
    return refused ?? held.bytes();
  }

  async #readyInput({ input }: Stage): Promise<ReadyInput | ShellBoundary> {
    if (input === undefined || input.kind === 'text') return input;
    if (input.kind === 'output') return undefined;
    const word = input.kind === 'word' ? input.word : input.path;
    const text = await runText(word, this.#place());
    if (isBoundary(text)) return text;
    if (input.kind === 'word') return { kind: 'text', text: `${text}\n` };
    const { parts, ...plain } = word;
    return { kind: 'file', path: { ...plain, text } };
  }

  /** The complete input of a compound command. */
  async #input(stage: Stage, stderr: Sink): Promise<Buffer | ShellBoundary | 'unreadable' | undefined> {
    if (stage.input?.kind === 'output') return this.#output(stage.input.script);
    const input = await this.#readyInput(stage);
    if (input === undefined || isBoundary(input)) return input;
    if (input.kind === 'text') return Buffer.from(input.text);
    const held = this.#hold();
    const reader: ShellCommand = {
      kind: 'simple',
      argv: catWords(stage.at),
      assignments: [],
      redirects: [],
      input,
      at: stage.at,
    };
    const refused = await this.#start([reader], { input: undefined, stdout: held, stderr });
    return refused ?? (this.#code === 0 ? held.bytes() : 'unreadable');
  }

  /** `files` collects the files for `<(…)`; without it, no command can get one. */
  #place(files?: Buffer[]): WordPlace {
    return {
      world: this.#context.world,
      cwd: this.#cwd,
      variables: this.#variables,
      code: this.#code,
      capture: async (script) => {
        const output = await this.#output(script);
        return isBoundary(output) ? output : output.toString().replace(/\n+$/, '');
      },
      provide: async (script, at) => {
        if (files === undefined)
          return boundary('expansion', at, 'the output of <(…) is for one command only');
        const output = await this.#output(script);
        return isBoundary(output) ? output : providedPath(files.push(output) - 1);
      },
    };
  }
}

function catWords(at: number): readonly ShellWord[] {
  return [{ text: 'cat', at, bare: true, pattern: undefined }];
}

/** Whether a simple command is interpreted here instead of being started. */
function isWalked(stage: Stage): boolean {
  if (stage.kind !== 'simple') return true;
  const [name] = unwrapped(stage.argv);
  if (name === undefined || name.text === 'cd' || name.text === 'xargs' || isBuiltin(name.text)) return true;
  return /^(find|fd|fdfind)$/.test(name.text) && readFanOut(unwrapped(stage.argv)) !== undefined;
}
