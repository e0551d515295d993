/**
 * Random keys at random moments through many speculations in a real pseudo-terminal: the chat lives, nothing is
 * granted and nothing is committed that was not accepted. FORERUN_PROPERTY_SEED=any draws other keys.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { chatPaths } from '../../src/host/chat/chat-paths.ts';
import { OutcomeLog } from '../../src/storage/outcome-log.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { rounds } from '../support/soak.ts';
import { RandomKeys } from '../support/terminal-random-keys.ts';
import { moments, RandomWorld } from '../support/terminal-random-world.ts';
import { type ShownTerminal, TerminalTrial } from '../support/terminal-trial.ts';

const files = { 'package.json': '{}\n', 'readme.txt': 'nothing to see\n' };

const speculations = rounds({ everyRun: 15, soak: 300 });
/** For machines that have something else to do as well. */
const timeoutMs = 900_000;
/** A conversation that grew without end would have to be summed up. */
const turnsPerConversation = 20;

test(
  `the chat outlives random keys through ${speculations} speculations`,
  async () => {
    const random = SeededRandom.fromEnvironment();
    await using trial = await TerminalTrial.open(files);
    await prepare(trial);
    const world = new RandomWorld();
    trial.provider.script(world.script);
    const shown = trial.start({ words: ['--mode', 'acceptEdits'], columns: 100, rows: 30 });
    const run = new RandomRun(trial, { shown, world, random });
    try {
      await shown.untilPrompt();
      // A short run goes on until something was accepted and something granted.
      const isDone = () => world.begun.size >= speculations && run.accepted.size > 0 && run.granted.size > 0;
      for (let turn = 1; !isDone(); turn += 1) {
        expect(turn, 'turns without speculation').toBeLessThan(2 * speculations + 200);
        if (turn % turnsPerConversation === 0) await run.say('/clear', 'A new conversation.');
        await run.turn(turn);
        await run.check();
      }
      await run.calm();
      run.keys.send('/exit\r');
      expect(await shown.exited).toBe(0);
      expect(run.accepted.size).toBeGreaterThan(0);
      expect(run.granted.size).toBeGreaterThan(0);
    } catch (thrown) {
      const last = JSON.stringify(run.keys.sent.slice(-30));
      throw new Error(`with FORERUN_PROPERTY_SEED=${random.seed}, last keys ${last}`, { cause: thrown });
    }
  },
  timeoutMs,
);

class RandomRun {
  readonly keys: RandomKeys;
  /** The suggestions that were accepted on purpose. */
  readonly accepted = new Set<number>();
  readonly granted = new Set<string>();
  readonly #trial: TerminalTrial;
  readonly #shown: ShownTerminal;
  readonly #world: RandomWorld;
  readonly #random: SeededRandom;
  #marks = 0;

  constructor(
    trial: TerminalTrial,
    parts: { readonly shown: ShownTerminal; readonly world: RandomWorld; readonly random: SeededRandom },
  ) {
    this.#trial = trial;
    this.#shown = parts.shown;
    this.#world = parts.world;
    this.#random = parts.random;
    this.keys = new RandomKeys(parts.shown, parts.random);
  }

  /** One turn of the conversation, and what is done while somebody works ahead of the next. */
  async turn(number: number): Promise<void> {
    const kind = this.#random.below(100);
    if (kind < 10) await this.#question(number);
    else if (kind < 25) await this.#acceptance(number);
    else await this.#interference(number);
    this.#world.release();
    await this.calm();
  }

  /** Back to an empty prompt with nothing under way, and everything read that was sent. */
  async calm(): Promise<void> {
    let before = await this.#mark();
    for (;;) {
      // Ctrl+C interrupts what is under way; where nothing is, it empties the prompt.
      this.keys.send('\u0003');
      const mark = await this.#mark();
      if (!this.#shown.typed.includes(before)) break;
      before = mark;
    }
    this.keys.send('\u0015');
    await this.#shown.until(({ cursor }) => cursor.before === '> ', 'an empty prompt');
  }

  /** Types something that was never typed before, and waits until it stands in the prompt. */
  async #mark(): Promise<string> {
    this.#marks += 1;
    const mark = `zq${this.#marks}q`;
    // A blank first: an Escape that is still open takes the next character with it.
    this.keys.send(` ${mark}`);
    await this.#shown.until(({ typed }) => typed.endsWith(mark), `the mark ${mark}`);
    return mark;
  }

  async say(input: string, answer: string): Promise<void> {
    const before = countOf(this.#shown.sent, answer);
    this.keys.send(`${input}\r`);
    await this.#shown.until(({ sent }) => countOf(sent, answer) > before, answer);
    await this.#shown.untilPrompt();
  }

  async check(): Promise<void> {
    const names = await readdir(this.#trial.scratch.workspace.root);
    const unwanted = names.filter((name) => !(name in files) && !this.#isWanted(name));
    expect(unwanted, 'files that nobody accepted or granted').toEqual([]);
    const reported = this.#world.said.flatMap((body) =>
      [...body.matchAll(/write note (\d+)/g)].map(([, at]) => Number(at)),
    );
    expect(
      reported.filter((at) => !this.accepted.has(at)),
      'messages that nobody accepted',
    ).toEqual([]);
    this.#world.said.length = 0;
  }

  #isWanted(name: string): boolean {
    const [, number] = /^(?:note|made)-(\d+)\.txt$/.exec(name) ?? [];
    return this.granted.has(name) || (number !== undefined && this.accepted.has(Number(number)));
  }

  /** Keys at a random moment of a speculation. */
  async #interference(number: number): Promise<void> {
    const reached = this.#world.hold(this.#random.pick(moments));
    const waiting = new AbortController();
    this.keys.send(`go ${number}\r`);
    // Not every speculation comes by every moment: the offer is the last of them.
    await Promise.race([reached, this.#offer(waiting.signal)]);
    waiting.abort();
    await this.keys.volley();
    if (this.#random.happens(50)) this.#world.release();
    await this.keys.volley();
  }

  /** Resolves when a suggestion is shown with what became of it, or does not come. */
  #offer(signal: AbortSignal): Promise<void> {
    const isReady = ({ cursor }: ShownTerminal): boolean => /⇥ Tab +(?!working)\S/.test(cursor.line);
    const give = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
    // A program that has died is noticed by whatever is waited for next.
    return this.#shown.until(isReady, 'an offer', give).catch(() => undefined);
  }

  /** The suggestion is taken on purpose. */
  async #acceptance(number: number): Promise<void> {
    this.keys.send(`go ${number}\r`);
    const isOffered = ({ cursor }: ShownTerminal): boolean => /write note \d+ +⇥ Tab/.test(cursor.line);
    await this.#shown.until(isOffered, 'a suggestion');
    if (this.#random.happens(60)) await this.#offer(new AbortController().signal);
    const [, offered = ''] = /write note (\d+)/.exec(this.#shown.cursor.line) ?? [];
    this.keys.send('\t');
    await this.#shown.until(({ cursor }) => cursor.before === `> write note ${offered}`, 'it in the prompt');
    this.accepted.add(Number(offered));
    this.keys.send('\r');
    await this.keys.volley();
  }

  /** A question about a command: nothing but the answer grants it. */
  async #question(number: number): Promise<void> {
    this.keys.send(`ask ${number}\r`);
    await this.#shown.until(({ cursor }) => cursor.before === '? ', 'a question');
    if (this.#random.happens(60)) {
      const letter = this.#random.pick(['y', 'a', 'n']);
      this.keys.letter(letter);
      // A letter alone is no answer yet, whatever comes after it.
      await this.#shown.until(
        ({ cursor }) => cursor.line.startsWith(`? ${letter}  ⏎`),
        'a letter that waits',
      );
      return await this.keys.volley();
    }
    const name = `granted-${number}.txt`;
    this.granted.add(name);
    const before = countOf(this.#shown.sent, `Said ask ${number}`);
    this.keys.send('y\r');
    await this.#shown.until(({ sent }) => countOf(sent, `Said ask ${number}`) > before, 'the answer');
    expect(await readdir(this.#trial.scratch.workspace.root)).toContain(name);
  }
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** A user who has accepted nearly everything so far, so that a few dismissals do not end all suggestions. */
async function prepare(trial: TerminalTrial): Promise<void> {
  const settings = join(trial.home, 'config', 'forerun');
  await mkdir(settings, { recursive: true });
  await writeFile(
    join(settings, 'settings.json'),
    '{ "speculation": { "dailyTokens": 1000000000, "sessionTokens": 1000000000 } }',
  );
  const { outcomes: path } = chatPaths({ ...trial.env }, trial.scratch.workspace.root);
  await using outcomes = new OutcomeLog({ path, log: silentLog });
  for (let count = 0; count < 1000; count += 1) {
    await outcomes.record({
      at: new Date().toISOString(),
      outcome: 'accepted',
      class: 'other',
      ahead: 0,
      tool_uses: 1,
      input_tokens: 1,
      cache_write_tokens: 0,
      output_tokens: 1,
      worked_ms: 20_000,
      saved_ms: 10_000,
    });
  }
}
