/**
 * Everything that the page of the editor and its back end say to each other.
 *
 * Events are numbered in one sequence. A page that reconnects names the last number it has; it receives the events
 * after it or, if they are no longer kept, a snapshot. Both ends parse what they receive with these schemas.
 */
import { z } from 'zod';
import { agentEvents, agentMethods, agentSnapshot } from './protocol/agent.ts';
import { bufferEvents, bufferMethods, bufferSnapshot } from './protocol/buffer.ts';
import { codeEvents, codeMethods, codeSnapshot } from './protocol/code.ts';
import { fileEvents, fileMethods } from './protocol/file.ts';
import { futureEvents, futureMethods, futureSnapshot } from './protocol/future.ts';
import { ghostEvents, ghostMethods, ghostSnapshot } from './protocol/ghost.ts';
import { gitEvents, gitMethods, gitSnapshot } from './protocol/git.ts';
import { mergeEvents, mergeMethods, mergeSnapshot } from './protocol/merge.ts';
import { searchEvents, searchMethods, searchSnapshot } from './protocol/search.ts';
import { settingEvents, settingMethods, settingSnapshot } from './protocol/setting.ts';
import { startMethods } from './protocol/start.ts';
import { terminalEvents, terminalMethods, terminalSnapshot } from './protocol/terminal.ts';
import { trustEvents, trustMethods, trustSnapshot } from './protocol/trust.ts';
import { whatIfEvents, whatIfMethods, whatIfSnapshot } from './protocol/what-if.ts';

/** Grows when a message changes in a way that an older page would misread. */
export const protocolVersion = 1;

/** A page that receives nothing for this long takes its connection for dead. */
export const silenceMs = 25_000;

/** How often the back end sends a heartbeat; more than two fit into the silence. */
export const heartbeatMs = 10_000;

export const methods = {
  ...bufferMethods,
  ...fileMethods,
  ...codeMethods,
  ...agentMethods,
  ...ghostMethods,
  ...futureMethods,
  ...whatIfMethods,
  ...searchMethods,
  ...terminalMethods,
  ...trustMethods,
  ...settingMethods,
  ...gitMethods,
  ...mergeMethods,
  ...startMethods,
} as const;

export type MethodName = keyof typeof methods;
/** What a handler receives. */
export type ParamsOf<Name extends MethodName> = z.output<(typeof methods)[Name]['params']>;
/** What a page sends. */
export type GivenParamsOf<Name extends MethodName> = z.input<(typeof methods)[Name]['params']>;
export type ResultOf<Name extends MethodName> = z.output<(typeof methods)[Name]['result']>;

export const editorEvent = z.discriminatedUnion('kind', [
  ...bufferEvents,
  ...fileEvents,
  ...codeEvents,
  ...agentEvents,
  ...ghostEvents,
  ...futureEvents,
  ...whatIfEvents,
  ...searchEvents,
  ...terminalEvents,
  ...trustEvents,
  ...settingEvents,
  ...gitEvents,
  ...mergeEvents,
]);
export type EditorEvent = z.infer<typeof editorEvent>;

/** The state of every feature, for a page that begins anew. */
export const snapshot = z.object({
  workspace: z.object({ root: z.string(), name: z.string(), isTrusted: z.boolean() }),
  ...bufferSnapshot.shape,
  ...codeSnapshot.shape,
  ...agentSnapshot.shape,
  ...ghostSnapshot.shape,
  ...futureSnapshot.shape,
  ...whatIfSnapshot.shape,
  ...searchSnapshot.shape,
  ...terminalSnapshot.shape,
  ...trustSnapshot.shape,
  ...settingSnapshot.shape,
  ...gitSnapshot.shape,
  ...mergeSnapshot.shape,
});
export type Snapshot = z.infer<typeof snapshot>;

/** `POST /enter` with the secret, which is the whole fragment of the address: sets the cookie and names the path of the WebSocket. */
export const enterRequest = z.object({ secret: z.string().max(200) });
/**
 * The page keeps `link` in its local storage, for a reload and a second tab. A GET of it answers 401 where the cookie is
 * no longer valid; a browser does not say so of a WebSocket.
 */
export const enterAnswer = z.object({ link: z.string() });

export const clientMessage = z.discriminatedUnion('kind', [
  /** The first message of a page. `page` is its name for as long as it is loaded. */
  z.object({
    kind: z.literal('hello'),
    protocol: z.number().int(),
    page: z.string().min(1).max(64),
    lastSeq: z.number().int().nonnegative().optional(),
  }),
  z.object({
    kind: z.literal('request'),
    id: z.number().int().nonnegative(),
    method: z.string(),
    params: z.unknown(),
  }),
  z.object({ kind: z.literal('cancel'), id: z.number().int().nonnegative() }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

/** A failure as the page shows it. */
export const wireFailure = z.object({ code: z.string(), message: z.string(), remedy: z.string() });
export type WireFailure = z.infer<typeof wireFailure>;

export const serverMessage = z.discriminatedUnion('kind', [
  /** Answers `hello`. With a snapshot, what the page knew is void. */
  z.object({ kind: z.literal('welcome'), seq: z.number().int(), snapshot: snapshot.optional() }),
  /** The page was built for another protocol: it must be loaded again. */
  z.object({ kind: z.literal('outdated'), protocol: z.number().int() }),
  z.object({ kind: z.literal('event'), seq: z.number().int(), event: editorEvent }),
  z.object({ kind: z.literal('result'), id: z.number().int(), result: z.unknown() }),
  z.object({ kind: z.literal('failure'), id: z.number().int(), failure: wireFailure }),
  z.object({ kind: z.literal('heartbeat'), seq: z.number().int() }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;
