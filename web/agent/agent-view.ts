/**
 * What a page holds of the agent: the snapshot, carried on by events.
 *
 * Invariant: a snapshot with the events after it gives the same as a later snapshot.
 */
import type { EditorEvent, Snapshot } from '../../src/editor/protocol.ts';

export type AgentView = NonNullable<Snapshot['agent']>;

/** The view after an event; the same value if the event is not about the agent. */
export function agentAfter(view: AgentView, event: EditorEvent): AgentView {
  switch (event.kind) {
    case 'agent.state':
      return { ...view, state: event.state };
    case 'agent.items':
      return { ...view, items: event.items };
    case 'agent.item': {
      const at = view.items.findIndex(({ id }) => id === event.item.id);
      return { ...view, items: at < 0 ? [...view.items, event.item] : view.items.with(at, event.item) };
    }
    case 'agent.text':
      return {
        ...view,
        items: view.items.map((item) =>
          item.id === event.id && 'text' in item ? { ...item, text: item.text + event.text } : item,
        ),
      };
    case 'agent.gone':
      return { ...view, items: view.items.filter(({ id }) => id !== event.id) };
    case 'agent.proposal': {
      const { proposal: _gone, ...rest } = view;
      return { ...rest, ...(event.proposal && { proposal: event.proposal }) };
    }
    default:
      return view;
  }
}
