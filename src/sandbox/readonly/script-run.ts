/**
 * Runs a script that was classified as read-only.
 *
 * Invariant: commands are started by their argument vectors; loops, groups and fan-outs are interpreted here. Data
 * between parts that are not connected by a system pipe is held in bounded buffers.
 */
import { resolve } from 'node:path';
import { OutputCapture } from '../../process/output-capture.ts';
import { boundary, isBoundary, type ShellBoundary } from '../../shell/boundary.ts';
import { changedDirectory, judgeCommand, unwrapped } from '../../shell/reading/command-judge.ts';
import { commandFor, type FanOut, readFanOut } from '../../shell/reading/fan-out.ts';
import type {
  OutputRedirect,
  Script,
  ScriptStep,
  ShellCommand,
  ShellWord,
  Stage,
} from '../../shell/syntax/shell-list.ts';
import { type CommandWorld, placeCommand } from './command-world.ts';
import { splitItems } from './item-list.ts';
import { type ReadyCommand, runPipeline } from './pipeline-run.ts';
import { type ReadyInput, readyCommand, refuseSpecialFiles } from './ready-command.ts';
import { isBuiltin, runBuiltin } from './shell-builtin.ts';
import { runText, runWords } from './word-run.ts';

/** The target of output. */
export interface Sink {
  append(chunk: Buffer): void;
}

export interface Streams {
  /** The input of the first command; undefined if there is none. */
  readonly input: Buffer | undefined;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

/** The state shared by all parts of one run. */
export interface RunContext {
  readonly world: CommandWorld;
  readonly signal: AbortSignal;
  /** Ends the run because the output limit is reached. */
  readonly onFull: () => void;
}

const maxHeldBytes = 8 * 1024 * 1024;
const nowhere: Sink = { append: () => undefined };

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

  async #step({ pipeline, negated }: ScriptStep, streams: Streams): Promise<ShellBoundary | undefined> {
    const refused = await this.#pipeline(pipeline, streams);
    if (refused) return refused;
    if (negated) this.#code = this.#code === 0 ? 1 : 0;
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
    const input = await this.#input(stage);
    if (isBoundary(input)) return input;
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
    }
  }

  async #for(
    { name, words, body }: Extract<Stage, { kind: 'for' }>,
    streams: Streams,
  ): Promise<ShellBoundary | undefined> {
    const values = await runWords(words, this.#place());
    if (isBoundary(values)) return values;
    this.#code = 0;
    for (const { text } of values) {
      this.#variables.set(name, text);
      const refused = await this.script(body, { ...streams, input: undefined });
      if (refused) return refused;
    }
    return undefined;
  }

  async #read(
    { names, trims, body }: Extract<Stage, { kind: 'read' }>,
    { input, ...streams }: Streams,
  ): Promise<ShellBoundary | undefined> {
    const lines = (input ?? Buffer.alloc(0)).toString('utf8').split('\n').slice(0, -1);
    this.#code = 0;
    for (const line of lines) {
      const text = trims ? line.replace(/^[ \t]+|[ \t]+$/g, '') : line;
      let rest = text;
      for (const [index, name] of names.entries()) {
        const isLast = index === names.length - 1;
        const field = isLast || !trims ? rest : (/^[^ \t]*/.exec(rest)?.[0] ?? '');
        this.#variables.set(name, field);
        rest = rest.slice(field.length).replace(/^[ \t]+/, '');
      }
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
    const place = { bases: [this.#cwd], root: this.#context.world.root, source: 'name' as const };
    const verdict = judgeCommand({ ...command, argv, input: undefined }, place);
    if (isBoundary(verdict)) return verdict;
    const fanOut = readFanOut(unwrapped(argv));
    if (isBoundary(fanOut)) return fanOut;
    if (fanOut) return this.#fanOut(fanOut, command, streams);
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
    let listed = streams.input;
    let failed = false;
    if (fanOut.from === 'find') {
      const held = this.#hold();
      const lister = { ...command, argv: fanOut.lister, redirects: [], input: undefined };
      const refused = await this.#start([lister], { ...streams, input: undefined, stdout: held });
      if (refused) return refused;
      failed = this.#code !== 0;
      listed = held.bytes();
    }
    const items = splitItems(listed ?? Buffer.alloc(0), fanOut.from === 'find' ? 'nul' : fanOut.separator);
    if (isBoundary(items)) return items;
    for (const names of batches(items, fanOut)) {
      const option = names.find((name) => name.startsWith('-'));
      if (option !== undefined) return boundary('option', command.at, `a name became the option ${option}`);
      const argv = commandFor(fanOut, names);
      const refused = await this.#start([{ ...command, argv, redirects: [], input: undefined }], {
        ...streams,
        input: undefined,
      });
      if (refused) return refused;
      failed ||= this.#code !== 0;
      this.#context.signal.throwIfAborted();
    }
    const ends = fanOut.from === 'find' ? (fanOut.perCall === undefined ? 1 : 0) : 123;
    this.#code = failed ? ends : 0;
    return undefined;
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
    const argv = await runWords(command.argv, this.#place());
    if (isBoundary(argv)) return argv;
    const input = await this.#readyInput(command);
    if (isBoundary(input)) return input;
    const place = { world: this.#context.world, cwd: this.#cwd };
    return readyCommand({ ...command, argv, input }, place, this.#context.signal);
  }

  async #readyInput({ input }: Stage): Promise<ReadyInput | ShellBoundary> {
    if (input === undefined || input.kind === 'text') return input;
    const word = input.kind === 'word' ? input.word : input.path;
    const text = await runText(word, this.#place());
    if (isBoundary(text)) return text;
    if (input.kind === 'word') return { kind: 'text', text: `${text}\n` };
    const { parts, ...plain } = word;
    return { kind: 'file', path: { ...plain, text } };
  }

  /** The complete input of a compound command. */
  async #input(stage: Stage): Promise<Buffer | ShellBoundary | undefined> {
    const input = await this.#readyInput(stage);
    if (input === undefined || isBoundary(input)) return input;
    if (input.kind === 'text') return Buffer.from(input.text);
    const held = this.#hold();
    const cat: ShellWord = { ...input.path, text: 'cat', bare: true };
    const reader: ShellCommand = {
      kind: 'simple',
      argv: [cat],
      assignments: [],
      redirects: [],
      input,
      at: stage.at,
    };
    const refused = await this.#start([reader], { input: undefined, stdout: held, stderr: nowhere });
    return refused ?? held.bytes();
  }

  #place(): Parameters<typeof runWords>[1] {
    return {
      world: this.#context.world,
      cwd: this.#cwd,
      variables: this.#variables,
      code: this.#code,
      capture: async (script) => {
        const held = this.#hold();
        const run = this.#fork();
        const refused = await run.script(script, { input: undefined, stdout: held, stderr: nowhere });
        return refused ?? held.toString().replace(/\n+$/, '');
      },
    };
  }
}

/** Whether a simple command is interpreted here instead of being started. */
function isWalked(stage: Stage): boolean {
  if (stage.kind !== 'simple') return true;
  const [name] = unwrapped(stage.argv);
  if (name === undefined || name.text === 'cd' || name.text === 'xargs' || isBuiltin(name.text)) return true;
  return name.text === 'find' && stage.argv.some(({ text }) => text === '-exec');
}

function redirected(streams: Streams, redirects: readonly OutputRedirect[]): Streams {
  let { stdout, stderr } = streams;
  for (const redirect of redirects) {
    if (redirect === '>/dev/null' || redirect === '&>/dev/null') stdout = nowhere;
    if (redirect === '2>/dev/null' || redirect === '&>/dev/null') stderr = nowhere;
    if (redirect === '2>&1') stderr = stdout;
    if (redirect === '>&2') stdout = stderr;
  }
  return { ...streams, stdout, stderr };
}

/** The names for each started command. */
function batches(items: readonly string[], fanOut: FanOut): readonly (readonly string[])[] {
  if (items.length === 0) {
    const runsEmpty = fanOut.from === 'input' && fanOut.runsEmpty && fanOut.mark === undefined;
    return runsEmpty ? [[]] : [];
  }
  const size = Math.max(1, fanOut.perCall ?? 2000);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
