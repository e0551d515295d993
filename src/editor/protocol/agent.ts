/**
 * The agent on the wire: its conversation, its questions, what it proposes and what it would do next.
 *
 * All of it lives in the back end. A page that loads gets the conversation whole, in the middle of an answer or of a
 * question, and follows it from there.
 */
import { z } from 'zod';
import { method, nothing, path } from './method.ts';

/** What a change does to the diagnostics of the workspace. */
export const agentVerdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('clean'), files: z.number().int() }),
  z.object({
    kind: z.literal('broken'),
    errors: z.number().int(),
    paths: z.array(path),
    isProved: z.boolean(),
  }),
  z.object({ kind: z.literal('unknown'), why: z.array(z.string()) }),
]);
export type AgentVerdict = z.infer<typeof agentVerdict>;

const itemId = z.number().int().nonnegative();

/** One entry of the conversation as it is shown. */
export const agentItem = z.discriminatedUnion('kind', [
  /** What the user said; `along` names what went with it. */
  z.object({ kind: z.literal('user'), id: itemId, text: z.string(), along: z.array(z.string()) }),
  /** Markdown of the model. */
  z.object({ kind: z.literal('text'), id: itemId, text: z.string() }),
  z.object({ kind: z.literal('thinking'), id: itemId, text: z.string() }),
  z.object({
    kind: z.literal('tool'),
    id: itemId,
    tool: z.string(),
    /** What it does, in a few words: `Read src/cart.ts`. */
    title: z.string(),
    state: z.enum(['asked', 'running', 'done', 'failed', 'denied']),
    /** Why it failed, in the same line. */
    reason: z.string().optional(),
    /** What it was given and what it answered, cut where it is long. */
    detail: z.string(),
    verdict: agentVerdict.optional(),
  }),
  z.object({ kind: z.literal('notice'), id: itemId, text: z.string() }),
  /** The turn failed. `message` is what the user sent, to be sent again. */
  z.object({
    kind: z.literal('failure'),
    id: itemId,
    text: z.string(),
    remedy: z.string(),
    message: z.string(),
  }),
]);
export type AgentItem = z.infer<typeof agentItem>;

export const agentModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;
export type AgentMode = (typeof agentModes)[number];

/** A permission that the agent waits for. */
export const agentQuestion = z.object({
  id: z.string(),
  tool: z.string(),
  /** `Run this command?` */
  title: z.string(),
  /** The whole command, or the files. */
  subject: z.string(),
  /** Where it runs and what it can touch. */
  scope: z.string(),
  /** The rule that `always` adds, as it is written in settings. */
  rule: z.string(),
});
export type AgentQuestion = z.infer<typeof agentQuestion>;

/** What the user is predicted to ask next. */
export const agentSuggestion = z.object({
  text: z.string(),
  /** Absent until it was worked out. */
  verdict: agentVerdict.optional(),
  /** `3 files, tests pass` */
  size: z.string().optional(),
  stepsReady: z.number().int(),
});
export type AgentSuggestion = z.infer<typeof agentSuggestion>;

export const agentModel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('looking') }),
  z.object({ kind: z.literal('none'), message: z.string(), remedy: z.string() }),
  z.object({ kind: z.literal('found'), name: z.string(), provider: z.string(), isLocal: z.boolean() }),
]);
export type AgentModel = z.infer<typeof agentModel>;

/** Everything about the agent but its items and its proposal. */
export const agentState = z.object({
  model: agentModel,
  /** Absent: nothing has been said yet. */
  conversation: z.object({ id: z.string(), title: z.string() }).optional(),
  mode: z.enum(agentModes),
  isRunning: z.boolean(),
  plan: z.array(z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
  usage: z.object({
    /** The tokens of the last request, and how many the model can hold. */
    context: z.number().int(),
    limit: z.number().int(),
    /** All tokens of this conversation since it was opened here. */
    input: z.number().int(),
    output: z.number().int(),
  }),
  question: agentQuestion.optional(),
  suggestion: agentSuggestion.optional(),
  /** Whether it works ahead. */
  suggests: z.boolean(),
  /** Whether Enter on an empty prompt sends the suggestion. */
  enterRuns: z.boolean(),
  /** How much earlier answers were there in this editor. */
  savedMs: z.number(),
});
export type AgentState = z.infer<typeof agentState>;

export const hunkDecision = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['open', 'accepted', 'rejected']) }),
  z.object({ kind: z.literal('edited'), text: z.string() }),
]);

export const proposalHunk = z.object({
  id: z.string(),
  /** The lines replaced and what the agent puts in their place. */
  before: z.string(),
  after: z.string(),
  /** The first line of each, from 0. */
  oldLine: z.number().int(),
  newLine: z.number().int(),
  decision: hunkDecision,
  /** `Breaks 1 file without it` */
  note: z.string().optional(),
  /** A decision that waits for the end of the turn. */
  isWaiting: z.boolean(),
});
export type ProposalHunk = z.infer<typeof proposalHunk>;

export const proposalFile = z.object({
  path,
  fate: z.enum(['created', 'changed', 'deleted']),
  baseline: z.string(),
  hunks: z.array(proposalHunk),
});
export type ProposalFile = z.infer<typeof proposalFile>;

export const agentProposal = z.object({
  /** What was asked for. */
  title: z.string(),
  files: z.array(proposalFile),
  /** All changes together, and what was accepted so far. */
  all: agentVerdict,
  accepted: agentVerdict,
});
export type AgentProposal = z.infer<typeof agentProposal>;

/** Something the user named with `@`. */
export const agentMention = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), path }),
  z.object({ kind: z.literal('symbol'), path, name: z.string().max(500), line: z.number().int() }),
]);
export type AgentMention = z.infer<typeof agentMention>;

const words = z.string().max(1_000_000);

export const agentMethods = {
  'agent.list': method(
    z.object({}),
    z.object({
      conversations: z.array(z.object({ id: z.string(), title: z.string(), modifiedAt: z.number() })),
    }),
  ),
  /** Goes on with an earlier conversation. */
  'agent.open': method(z.object({ id: z.string().min(1).max(64) }), nothing),
  'agent.new': method(z.object({}), nothing),
  /** Resolves when the message is taken; the answer comes as events. */
  'agent.send': method(
    z.object({
      text: words,
      mentions: z.array(agentMention).max(50).default([]),
      /** Whether the focused file goes along. */
      focus: z.enum(['along', 'left-out']).default('along'),
    }),
    nothing,
  ),
  'agent.stop': method(z.object({}), nothing),
  'agent.mode': method(z.object({ mode: z.enum(agentModes) }), nothing),
  /** Another model for this conversation; without a name, looks for one again. */
  'agent.model': method(z.object({ name: z.string().min(1).max(200).optional() }), nothing),
  'agent.answer': method(
    z.object({
      question: z.string(),
      answer: z.enum(['once', 'always', 'no']),
      words: z.string().max(10_000).optional(),
    }),
    nothing,
  ),
  /** Decides about hunks, all of them or none. While a turn runs, decisions wait for its end. */
  'agent.decide': method(
    z.object({ decisions: z.array(z.object({ hunk: z.string(), decision: hunkDecision })).min(1) }),
    z.object({ kind: z.enum(['done', 'waiting']) }),
  ),
  'agent.mentions': method(
    z.object({ query: z.string().max(200) }),
    z.object({ mentions: z.array(agentMention) }),
  ),
  /** What stands in the prompt: text that does not continue the suggestion ends it. */
  'agent.typed': method(z.object({ text: words }), nothing),
  'agent.dismiss': method(z.object({}), nothing),
  'agent.suggest': method(z.object({ choice: z.enum(['on', 'off']) }), nothing),
} as const;

export const agentEvents = [
  z.object({ kind: z.literal('agent.state'), state: agentState }),
  /** Another conversation is shown. */
  z.object({ kind: z.literal('agent.items'), items: z.array(agentItem) }),
  /** A new item, or a known one that changed. */
  z.object({ kind: z.literal('agent.item'), item: agentItem }),
  /** Text added to the end of an item. */
  z.object({ kind: z.literal('agent.text'), id: itemId, text: z.string() }),
  /** An item that is void. */
  z.object({ kind: z.literal('agent.gone'), id: itemId }),
  z.object({ kind: z.literal('agent.proposal'), proposal: agentProposal.optional() }),
  /** The agent opens a file for the user. */
  z.object({ kind: z.literal('agent.reveal'), path, line: z.number().int().optional() }),
] as const;

/** Absent: this editor has no agent. */
export const agentSnapshot = z.object({
  agent: z
    .object({ state: agentState, items: z.array(agentItem), proposal: agentProposal.optional() })
    .optional(),
});
