/**
 * The names under which this server may be addressed, and from which pages.
 *
 * A page from anywhere can make a browser talk to an address of this machine by pointing its own name at it (DNS
 * rebinding). It cannot choose the `Host` its requests carry, so a name we do not go by is refused.
 *
 * Invariant: a request whose `Host` is missing, unreadable or not ours is never admitted.
 */
import { isIP } from 'node:net';

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '::1'];
const anyAddress: readonly string[] = ['0.0.0.0', '::'];

export class AllowedHosts {
  readonly #names: ReadonlySet<string>;
  /** Listening on every address, we are reached under any of them; a rebinding page has only names to offer. */
  readonly #admitsAddresses: boolean;

  constructor(listenAddress: string, furtherNames: readonly string[] = []) {
    const own = isLoopbackAddress(listenAddress) ? loopbackNames : [listenAddress, ...loopbackNames];
    this.#names = new Set([...own, ...furtherNames].map((name) => name.toLowerCase()));
    this.#admitsAddresses = anyAddress.includes(listenAddress);
  }

  /** Whether a request with this `Host` was meant for us. */
  admitsHost(host: string | undefined): boolean {
    const name = nameOf(`http://${host ?? ''}`);
    return name !== undefined && (this.#names.has(name) || (this.#admitsAddresses && isIP(name) > 0));
  }

  /** Whether a page of this `Origin` may call us; programs send none. */
  admitsOrigin(origin: string | undefined, host: string | undefined): boolean {
    if (origin === undefined) return true;
    const name = nameOf(origin);
    return name !== undefined && (this.#names.has(name) || name === nameOf(`http://${host ?? ''}`));
  }
}

/** Whether only this machine can reach the address. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^127\./.test(address) || /^::ffff:127\./i.test(address);
}

/** The host of a URL without port and brackets; undefined for what has none. */
function nameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname, username } = new URL(url);
  if (hostname === '' || username !== '' || pathname !== '/') return undefined;
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}
