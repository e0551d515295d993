/**
 * The system's notifications of changes below a directory.
 *
 * Invariant: a notification is only a hint where to scan; missed notifications are reported by `lost`.
 */
export interface WatchListener {
  /** The entry at this absolute path changed. */
  received(absolute: string): void;
  /** Notifications were missed. */
  lost(reason: string): void;
}

export interface NativeWatch extends AsyncDisposable {
  /** Starts watching the entries of a directory; throws if the system refuses. */
  enter(directory: string): void;
  leave(directory: string): void;
  /**
   * Resolves when all changes before the call have been received. Absent if the system has no such guarantee; then a
   * caller must scan.
   */
  readonly settled?: () => Promise<void>;
}

export type OpenNativeWatch = (root: string, listener: WatchListener) => Promise<NativeWatch>;
