/** What is suggested next, as the chip above the prompt shows it. */
import type { Ahead } from '../../host/chat/chat-host.ts';
import { renderOffer } from '../../speculation/engine/offer.ts';
import type { AgentSuggestion } from '../protocol/agent.ts';
import { offeredVerdict } from './agent-verdict.ts';

/** Undefined where nothing is suggested. */
export function suggestionChip({
  state,
  states,
}: Pick<Ahead, 'state' | 'states'>): AgentSuggestion | undefined {
  const stepsReady = states.filter(({ kind }) => kind === 'ready').length;
  switch (state.kind) {
    case 'suggested':
      return { text: state.suggestion, stepsReady };
    case 'running':
      return { text: state.suggestion, verdict: { kind: 'checking' }, stepsReady };
    case 'ready': {
      const { suggestion, verdict, boundary, restsOn } = state;
      const size = renderOffer(verdict, boundary, restsOn);
      return { text: suggestion, verdict: offeredVerdict(verdict), size, stepsReady };
    }
    default:
      return undefined;
  }
}
