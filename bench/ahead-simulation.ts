/**
 * Whole conversations with a scripted model that takes its time, and a user who reads and then says what was suggested
 * or something else.
 *
 * It is a simulation: how long a model and a user take, and how often a suggestion is right, is set here. What is
 * measured is what comes of it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { runTurn } from '../src/agent/turn.ts';
import type { ScriptedAnswer } from '../test/support/scripted-provider.ts';
import { type Scene, SpeculationTrial } from '../test/support/speculation-trial.ts';

export interface Simulation {
  readonly ahead: Lived;
  readonly plain: Lived;
  readonly inputs: number;
  readonly roundMs: number;
  readonly readingMs: number;
}

interface Lived {
  /** From each Enter to its answer, summed. */
  readonly waitedMs: number;
  readonly tokens: number;
  readonly cachedShare: number;
}

const inputs = 16;
const roundMs = 60;
const readingMs = 400;

/** Worked out at the same price as what is said. */
const wrongGuess = 'run all the tests';

export async function simulate(percent: number, signal: AbortSignal): Promise<Simulation> {
  const ahead = await live('on', percent, signal);
  const plain = await live('off', percent, signal);
  return { ahead, plain, inputs, roundMs, readingMs };
}

async function live(choice: 'on' | 'off', percent: number, signal: AbortSignal): Promise<Lived> {
  const sayings = Array.from({ length: inputs }, (_, index) => `change number ${index}`);
  await using trial = await SpeculationTrial.open(
    { 'src/app.ts': 'export const at = 0;\n' },
    {
      scenes: {
        ...Object.fromEntries(sayings.map((saying, index) => [saying, scene(index, percent)])),
        [wrongGuess]: scene(inputs, percent),
      },
    },
  );
  trial.speculation.turn(choice);
  let waitedMs = 0;
  for (const saying of sayings) {
    signal.throwIfAborted();
    const enteredAt = performance.now();
    const entry = await trial.speculation.enter(saying, signal);
    const events = entry.kind === 'turn' ? runTurn(trial.conversation, entry.input, {}, signal) : [];
    for await (const event of events) if (event.kind === 'done') trial.speculation.begin(event.outcome);
    waitedMs += performance.now() - enteredAt;
    await wait(readingMs, undefined, { signal });
  }
  await trial.speculation.settled();
  const { requests } = trial.trial.provider;
  const tokens = requests.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
  const cached = requests.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0);
  return { waitedMs, tokens, cachedShare: cached / tokens };
}

/** Three rounds, and a suggestion that is what comes next as often as was asked for. */
function scene(index: number, percent: number): Scene {
  const slow = (...steps: Extract<ScriptedAnswer, readonly unknown[]>): ScriptedAnswer => [pause(), ...steps];
  const isRight = (index * percent) % 100 < percent;
  return {
    get rounds() {
      return [
        slow({ call: 'Read', arguments: { file_path: 'src/app.ts' } }),
        slow({ call: 'Write', arguments: { file_path: `src/made-${index}.ts`, content: 'export {};\n' } }),
        slow({ text: `Change ${index} is made.` }),
      ];
    },
    get suggests() {
      return slow({ text: isRight ? `change number ${index + 1}` : wrongGuess });
    },
  };
}

/** The time a model takes begins when it is asked. */
function pause(): { readonly until: Promise<unknown> } {
  let waiting: Promise<void> | undefined;
  return {
    get until() {
      waiting ??= wait(roundMs);
      return waiting;
    },
  };
}
