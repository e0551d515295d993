/**
 * How the system tells of changes below a directory.
 *
 * Invariant: whatever is heard is a hint where to look, never the news itself; what may have been missed is
 * said by `lost`.
 */
export interface WatchListener {
  /** Something happened to the entry at this absolute path. */
  received(absolute: string): void;
  /** Something happened that was not heard of. */
  lost(reason: string): void;
}

export interface NativeWatch extends AsyncDisposable {
  /** Listens to what happens to the entries of a directory from here on; throws where the system refuses. */
  enter(directory: string): void;
  leave(directory: string): void;
  /**
   * Resolves when everything that happened before the call has been heard. Absent where the system makes no
   * such promise, so that whoever must know has to look.
   */
  readonly settled?: () => Promise<void>;
}

export type OpenNativeWatch = (root: string, listener: WatchListener) => Promise<NativeWatch>;
