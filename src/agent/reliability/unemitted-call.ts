/**
 * Whether an answer without calls reads like one that should have had some.
 *
 * Invariant: a question, to the user or from them, is never taken for it; phrases alone count only while no tool has run
 * in the turn. A false alarm costs one request and nothing else, as the model may answer it with a plain reply.
 */
import { hasCallMarks } from './leaked-call.ts';

export interface PlainAnswer {
  readonly text: string;
  /** What the user said last. */
  readonly asked: string;
  readonly hasRunTools: boolean;
  readonly toolNames: readonly string[];
}

/** `marks`: it holds the marks of a call. `claim`: it says something is done. `intent`: it says something will be. */
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

/** People who ask want to know; people who tell want something done. */
function isInstruction(asked: string): boolean {
  const words = asked.trim();
  if (words === '' || words.endsWith('?')) return false;
  return !/^(what|why|how|who|when|where|which|explain|describe|tell me|is|are|does|do|can you explain|hi|hello|thanks)\b/i.test(
    words,
  );
}
