/** A turn in the life of a server that those who use it may want to hear of. */
export interface ServerEvent {
  /** `ready`: it has come to rest after loading the workspace. `recovered`: it runs again after a crash. */
  readonly kind: 'ready' | 'crashed' | 'recovered';
  /** The name of its definition. */
  readonly server: string;
  readonly message: string;
}
