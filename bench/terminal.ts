/** `npm run bench -- terminal`: a prompt stays quick, whatever is pasted into it. */
import { historyOf } from '../src/terminal/prompt/input-history.ts';
import type { Key } from '../src/terminal/prompt/key.ts';
import { KeyReader } from '../src/terminal/prompt/key-reader.ts';
import { type PromptState, pressKey } from '../src/terminal/prompt/prompt-state.ts';
import { emptyPrompt } from '../src/terminal/prompt/prompt-text.ts';
import { Screen } from '../src/terminal/screen.ts';
import { liveView } from '../src/terminal/view/live-view.ts';
import type { Bench } from './bench.ts';
import { type Sampler, sampleInTurn } from './support/measurement.ts';

const texts: readonly (readonly [string, string])[] = [
  ['10,000 lines', lines(10_000, 'const answer = 42; // and so on, to the end of the line')],
  ['10,000 lines beyond ASCII', lines(10_000, 'straße, 日本語, e\u0301, 👩‍💻 and so on, to the end')],
  ['one line of 1 MB', 'x'.repeat(1_000_000)],
  ['one line of 1 MB beyond ASCII', 'é日本語 '.repeat(200_000)],
];

export const bench: Bench = {
  name: 'terminal',
  claim: 'a text that is pasted into the prompt is there at once, and so is every key after it',
  goal: { kind: 'below', limit: 200 },
  async *run(_context, signal) {
    for (const [what, text] of texts) {
      const samplers = { ours: pasting(text), beside: pressing(text) };
      const { ours, beside } = await sampleInTurn(samplers, { warmUp: 2, rounds: 10 }, signal);
      yield { kind: 'measured', what: `paste ${what}`, ours };
      yield {
        kind: 'measured',
        what: `eight keys after ${what}, the mean of them`,
        ours: beside,
        goal: { kind: 'below', limit: 20 },
      };
    }
  },
};

function lines(count: number, line: string): string {
  return Array.from({ length: count }, (_, at) => `${at}: ${line}`).join('\n');
}

function chunksOf(text: string): readonly string[] {
  const sent = Buffer.from(`\u001b[200~${text}\u001b[201~`).toString('utf8');
  const count = Math.ceil(sent.length / 4096);
  return Array.from({ length: count }, (_, at) => sent.slice(at * 4096, (at + 1) * 4096));
}

/** As a terminal sends it, in pieces of 4 KiB; read, taken into the prompt and drawn. */
function pasting(text: string): Sampler {
  const chunks = chunksOf(text);
  return async () => {
    const trial = new PromptTrial();
    const startedAt = performance.now();
    trial.paste(chunks);
    return performance.now() - startedAt;
  };
}

const keys: readonly Key[] = [
  { kind: 'text', text: 'é' },
  { kind: 'left' },
  { kind: 'up' },
  { kind: 'home' },
  { kind: 'down' },
  { kind: 'backspace' },
  { kind: 'erase-word' },
  { kind: 'end' },
];

function pressing(text: string): Sampler {
  const chunks = chunksOf(text);
  return async () => {
    const trial = new PromptTrial();
    trial.paste(chunks);
    const startedAt = performance.now();
    for (const key of keys) trial.press(key);
    return (performance.now() - startedAt) / keys.length;
  };
}

class PromptTrial {
  #state: PromptState = { prompt: emptyPrompt, history: historyOf([]) };
  readonly #screen = new Screen(
    { columns: 120, rows: 40, write: () => true, on: () => {}, off: () => {} },
    'coloured',
  );

  paste(chunks: readonly string[]): void {
    const reader = new KeyReader();
    for (const chunk of chunks) for (const key of reader.read(chunk)) this.press(key);
  }

  press(key: Key): void {
    this.#state = pressKey(this.#state, key, { enterRuns: false, completions: ['/help'] }).state;
    const state = { activity: 'waiting', unfinished: [], running: [], queued: [], footer: 'mode' } as const;
    this.#screen.show(liveView({ ...state, prompt: this.#state }, this.#screen.size));
  }
}
