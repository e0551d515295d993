/** How long a server may take to respond, by method. */
const deadlinesMs: Readonly<Record<string, number>> = {
  initialize: 300_000,
  'textDocument/references': 120_000,
  'callHierarchy/incomingCalls': 60_000,
  'callHierarchy/outgoingCalls': 60_000,
  'typeHierarchy/supertypes': 60_000,
  'typeHierarchy/subtypes': 60_000,
  'textDocument/documentHighlight': 10_000,
};

const otherwiseMs = 30_000;

export function requestDeadlineMs(method: string): number {
  return deadlinesMs[method] ?? otherwiseMs;
}
