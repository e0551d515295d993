/**
 * Detects an answer that has no call but reads as if it should.
 *
 * Invariants: a question, by the user or to the user, never counts; phrases alone count only while no tool has run in
 * the turn. A false alarm costs one request: the model may answer it with a plain reply.
 */
import { hasCallMarks } from './leaked-call.ts';

export interface PlainAnswer {
  readonly text: string;
  /** The user's last input. */
  readonly asked: string;
  readonly hasRunTools: boolean;
  readonly toolNames: readonly string[];
}

/**
 * `marks`: contains call markup. `claim`: says that something was done. `intent`: announces that something will be
 * done.
 */
export type UnemittedSign = 'marks' | 'claim' | 'intent';

export function signOfUnemittedCall({
  text,
  asked,
  hasRunTools,
  toolNames,
}: PlainAnswer): UnemittedSign | undefined {
  const said = text.trim();
  if (said === '' || said.endsWith('?')) return undefined;
  if (hasCallMarks(said, toolNames)) return 'marks';
  if (hasRunTools || !isInstruction(asked)) return undefined;
  if (claims.test(said)) return 'claim';
  const last = said.split(/(?<=[.!:])\s+|\n+/).at(-1) ?? '';
  return intents.test(last) ? 'intent' : undefined;
}

const verbs =
  '(?:create|write|add|edit|update|change|rename|remove|delete|fix|replace|implement|run|execute|search|look|check|read|open|list|find|inspect|examine|apply|modify|refactor|install|move)';

const doneVerbs =
  '(?:created|written|added|edited|updated|changed|renamed|removed|deleted|fixed|replaced|implemented|run|applied|modified|refactored|moved)';

const claims = new RegExp(
  `\\bI(?:'ve|’ve| have)\\s+(?:now\\s+|just\\s+|also\\s+|successfully\\s+)*${doneVerbs}\\b`,
  'i',
);

const intents = new RegExp(
  `\\b(?:I(?:'ll|’ll| will| am going to|'m going to)|let me|let's)\\s+(?:now\\s+|first\\s+|start by\\s+|begin by\\s+|go ahead and\\s+|quickly\\s+)*${verbs}(?:ing)?\\b`,
  'i',
);

/** An instruction, as opposed to a question. */
function isInstruction(asked: string): boolean {
  const words = asked.trim();
  if (words === '' || words.endsWith('?')) return false;
  return !/^(what|why|how|who|when|where|which|explain|describe|tell me|is|are|does|do|can you explain|hi|hello|thanks)\b/i.test(
    words,
  );
}
