/**
 * The state of the prompt: text, history and suggestion, and how keys change it.
 *
 * Invariants: a suggestion becomes part of the text only by Tab; any key that does not continue it removes it; typed
 * text is never replaced by it.
 */
import { isBeginningOf } from '../../speculation/engine/typed-input.ts';
import { type InputHistory, recalled, remembered } from './input-history.ts';
import type { Key } from './key.ts';
import { climbed, edited, emptyPrompt, inserted, type PromptText, promptOf } from './prompt-text.ts';

export interface PromptState {
  readonly prompt: PromptText;
  readonly history: InputHistory;
  /** Absent if there is no suggestion. */
  readonly suggestion?: string;
}

/** A request to the owner of the prompt. */
export type PromptRequest =
  | { readonly kind: 'submit'; readonly text: string }
  /** Ctrl+C on an empty prompt, or Ctrl+D. */
  | { readonly kind: 'interrupt' | 'leave' }
  | { readonly kind: 'clear-screen' | 'toggle-output' };

export interface PromptStep {
  readonly state: PromptState;
  readonly request?: PromptRequest;
}

export interface PromptRules {
  /** Whether Enter on an empty prompt sends the suggestion. */
  readonly enterRuns: boolean;
  /** Words that Tab can complete. */
  readonly completions: readonly string[];
}

export function pressKey(state: PromptState, key: Key, rules: PromptRules): PromptStep {
  const step = stepOf(state, key, rules);
  const { suggestion, ...rest } = step.state;
  if (suggestion === undefined || survives(key, step.state)) return step;
  return { ...step, state: rest };
}

/** The part of the suggestion that is not typed yet; empty if it cannot be shown. */
export function ghostOf({ prompt, suggestion }: Pick<PromptState, 'prompt' | 'suggestion'>): string {
  const { text, cursor } = prompt;
  if (suggestion === undefined || cursor !== text.length || !isBeginningOf(text, suggestion)) return '';
  return suggestion.slice(text.trimStart().length);
}

/** A suggestion is kept only by keys that continue it or do not change the text. */
function survives({ kind }: Key, { prompt, suggestion = '' }: PromptState): boolean {
  if (kind === 'toggle-output' || kind === 'clear-screen' || kind === 'enter') return true;
  return (kind === 'text' || kind === 'tab') && isBeginningOf(prompt.text, suggestion);
}

function stepOf(state: PromptState, key: Key, rules: PromptRules): PromptStep {
  switch (key.kind) {
    case 'text':
    case 'paste':
      return withPrompt(state, inserted(state.prompt, key.text));
    case 'newline':
      return withPrompt(state, inserted(state.prompt, '\n'));
    case 'enter':
      return entered(state, rules);
    case 'tab':
      return tabbed(state, rules);
    case 'up':
    case 'down':
      return climbedOrRecalled(state, key.kind);
    case 'interrupt':
      return state.prompt.text === ''
        ? { state, request: { kind: 'interrupt' } }
        : withPrompt(
            { ...state, history: { ...state.history, place: state.history.entries.length } },
            emptyPrompt,
          );
    case 'end-of-input':
      return state.prompt.text === ''
        ? { state, request: { kind: 'leave' } }
        : withPrompt(state, edited(state.prompt, 'delete') ?? state.prompt);
    case 'clear-screen':
    case 'toggle-output':
      return { state, request: { kind: key.kind } };
    default:
      return withPrompt(state, edited(state.prompt, key.kind) ?? state.prompt);
  }
}

/** A backslash before Enter inserts a line break. */
function entered(state: PromptState, { enterRuns }: PromptRules): PromptStep {
  const { prompt, history, suggestion } = state;
  const { text, cursor } = prompt;
  if (cursor === text.length && trailingBackslashes(text) % 2 === 1) {
    return withPrompt(state, promptOf(`${text.slice(0, -1)}\n`));
  }
  const said = text.trim() === '' && enterRuns && suggestion !== undefined ? suggestion : text.trim();
  if (said === '') return withPrompt(state, emptyPrompt);
  return {
    state: { ...state, prompt: emptyPrompt, history: remembered(history, said) },
    request: { kind: 'submit', text: said },
  };
}

function trailingBackslashes(text: string): number {
  let start = text.length;
  while (text[start - 1] === '\\') start -= 1;
  return text.length - start;
}

/** Takes the suggestion, or completes the current word. */
function tabbed(state: PromptState, { completions }: PromptRules): PromptStep {
  const { prompt, suggestion } = state;
  if (suggestion !== undefined && ghostOf(state) !== '') return withPrompt(state, promptOf(suggestion));
  const fitting = completions.filter((word) => prompt.text !== '' && word.startsWith(prompt.text));
  return withPrompt(state, fitting.length > 0 ? promptOf(commonStart(fitting)) : prompt);
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** Up and down move between lines; beyond the first and last line they move through the history. */
function climbedOrRecalled(state: PromptState, direction: 'up' | 'down'): PromptStep {
  const { prompt, history } = state;
  const beside = climbed(prompt, direction);
  if (beside) return withPrompt(state, beside);
  const found = recalled(history, prompt.text, direction === 'up' ? 'back' : 'forth');
  return found ? { state: { ...state, history: found.history, prompt: promptOf(found.text) } } : { state };
}

function withPrompt(state: PromptState, prompt: PromptText): PromptStep {
  return { state: { ...state, prompt } };
}
