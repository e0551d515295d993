/**
 * How a browser gets in: the secret of the address is exchanged for a cookie.
 *
 * Invariants: the secret of the address is in the fragment, which no browser sends, and the cookie cannot be read by
 * scripts. Cookies are shared by all ports of a host, so ours is bound to a path that no other program knows: a browser
 * sends it nowhere else.
 */
import { randomBytes } from 'node:crypto';
import { BearerToken } from '../http/bearer-token.ts';

export class PageEntry {
  /** The path of the link and of nothing else. */
  readonly linkPath: string;
  /** For the fragment of the address. */
  readonly secret: string;
  readonly #secret: BearerToken;
  readonly #cookieValue: string;
  readonly #cookie: BearerToken;

  constructor() {
    this.secret = word();
    this.#secret = new BearerToken(this.secret);
    this.#cookieValue = word();
    this.#cookie = new BearerToken(this.#cookieValue);
    this.linkPath = `/link/${word()}`;
  }

  /** The cookie for a browser that presents the secret; undefined for any other. */
  cookieFor(secret: string): string | undefined {
    if (!this.#secret.isSecret(secret)) return undefined;
    return `${cookieName}=${this.#cookieValue}; Path=${this.linkPath}; HttpOnly; SameSite=Strict`;
  }

  /** Whether a request for the link carries the cookie. */
  admits(path: string | undefined, cookies: string | undefined): boolean {
    return path === this.linkPath && this.#cookie.isSecret(cookieIn(cookies ?? ''));
  }
}

/** Whether a page of this very server sent a request: another port of this host is another origin. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  return (
    origin !== undefined && host !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`
  );
}

const cookieName = 'forerun';

function cookieIn(header: string): string | undefined {
  const own = header.split(';').map((each) => each.trim());
  return own.find((each) => each.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}

function word(): string {
  return randomBytes(24).toString('base64url');
}
