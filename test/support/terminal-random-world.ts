/**
 * The other side of the random-keys test: a model that suggests, works ahead, asks for permission, and remembers what it
 * was asked.
 *
 * Invariant: every suggestion has a number of its own, and so has every file it would make: what is on disk says which
 * suggestions became real.
 */
import { isJsonObject, type JsonObject } from '../../src/model/json-value.ts';
import type { RecordedRequest, ScriptedAnswer, ScriptedStep } from './scripted-provider.ts';
import { asksForSuggestion } from './terminal-trial.ts';

/** Where keys are pressed: while a turn answers, and at each stage of the speculation after it. */
export const moments = ['speaking', 'predicting', 'working', 'after-command', 'answering'] as const;

export type Moment = (typeof moments)[number];

export class RandomWorld {
  /** The suggestions whose run has started. */
  readonly begun = new Set<number>();
  /** The requests of turns of the conversation itself. */
  readonly said: string[] = [];
  /** The number of the last suggestion. */
  #last = 0;
  #held: Moment | undefined;
  #reached: () => void = () => {};
  #release: () => void = () => {};
  #released: Promise<void> = Promise.resolve();

  /** Has the answer at a moment wait for `release`; resolves when that moment has come. */
  hold(moment: Moment): Promise<void> {
    this.#held = moment;
    this.#released = new Promise((resolve) => {
      this.#release = resolve;
    });
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  release(): void {
    this.#held = undefined;
    this.#release();
  }

  readonly script = (request: RecordedRequest): ScriptedAnswer => {
    if (asksForSuggestion(request)) {
      this.#last += 1;
      return this.#spoken('predicting', `write note ${this.#last}`);
    }
    const { input, rounds, hasCommand } = turnIn(request);
    const [, noted] = /^write note (\d+)$/.exec(input) ?? [];
    if (noted !== undefined) return this.#work(Number(noted), rounds, hasCommand);
    if (rounds === 0) this.said.push(request.body);
    const [, asked = 'unasked'] = /^ask (\d+)$/.exec(input) ?? [];
    if (/^go \d+$/.test(input) || rounds > 0) return this.#spoken('speaking', `Said ${input}.`);
    return [bash(`echo granted > granted-${asked}.txt`)];
  };

  #work(number: number, rounds: number, hasCommand: boolean): ScriptedAnswer {
    this.begun.add(number);
    const write = { call: 'Write', arguments: { file_path: `note-${number}.txt`, content: `${number}\n` } };
    const command = bash(`echo ${number} > made-${number}.txt`);
    const plans: readonly (readonly ScriptedStep[])[] = [
      [write],
      [command],
      [write, command],
      [command, write],
    ];
    const step = plans[number % plans.length]?.[rounds];
    const moment = hasCommand ? 'after-command' : 'working';
    if (step) return this.#at(moment, [], [step]);
    return this.#spoken(hasCommand && this.#held === moment ? moment : 'answering', `Noted ${number}.`);
  }

  #spoken(moment: Moment, text: string): ScriptedAnswer {
    return this.#at(moment, [{ text: text.slice(0, 4) }], [{ text: text.slice(4) }]);
  }

  #at(moment: Moment, first: readonly ScriptedStep[], rest: readonly ScriptedStep[]): ScriptedAnswer {
    if (this.#held !== moment) return [...first, ...rest];
    this.#reached();
    return [...first, { until: this.#released }, ...rest];
  }
}

function bash(command: string): ScriptedStep {
  return { call: 'Bash', arguments: { command } };
}

interface ShownTurn {
  /** What the user said last. */
  readonly input: string;
  /** How often the model has answered since. */
  readonly rounds: number;
  readonly hasCommand: boolean;
}

function turnIn({ json }: RecordedRequest): ShownTurn {
  const messages = (Array.isArray(json.messages) ? json.messages : []).filter(isJsonObject);
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const since = messages.slice(at + 1).filter(({ role }) => role === 'assistant');
  const input = spokenIn(messages[at] ?? {}).trim();
  return { input, rounds: since.length, hasCommand: JSON.stringify(since).includes('"Bash"') };
}

/** The last line of a message: what comes before it was not said by the user, or is of no account here. */
function spokenIn({ content }: JsonObject): string {
  if (typeof content === 'string') return content.split('\n').at(-1) ?? '';
  const last: unknown = Array.isArray(content) ? content.at(-1) : undefined;
  return isJsonObject(last) && typeof last.text === 'string' ? last.text : '';
}
