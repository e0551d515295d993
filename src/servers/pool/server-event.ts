/** A change in the state of a server, published to clients. */
export interface ServerEvent {
  /** `ready`: it has loaded the workspace and is idle. `recovered`: it runs again after a crash. */
  readonly kind: 'ready' | 'crashed' | 'recovered';
  /** The name of its definition. */
  readonly server: string;
  readonly message: string;
}
