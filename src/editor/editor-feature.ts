/**
 * One part of the editor: the methods it answers and what it adds to a snapshot.
 *
 * Features know each other by their types, never by the wire: one that needs the buffers is given the buffers.
 */
import type { MethodName, ParamsOf, ResultOf, Snapshot } from './protocol.ts';

/** The page that made a request. */
export interface RequestSource {
  readonly page: string;
}

export type Handler<Name extends MethodName> = (
  params: ParamsOf<Name>,
  source: RequestSource,
  signal: AbortSignal,
) => Promise<ResultOf<Name>>;

export type Handlers<Name extends MethodName = MethodName> = { readonly [Key in Name]: Handler<Key> };

export interface EditorFeature<Name extends MethodName = MethodName> extends Partial<AsyncDisposable> {
  readonly handlers: Handlers<Name>;
  /** Absent: the feature has nothing that a new page must know. */
  snapshot?(): Partial<Snapshot>;
  /** Called when the last connection of a page has ended for good. */
  pageClosed?(page: string): void;
}
