/**
 * How the page gets in: the secret in the fragment of the address is exchanged for a cookie and the address of the link.
 *
 * Invariants: the secret leaves the address bar at once, so that it is in no history and no screenshot. The cookie cannot
 * be read here; the address of the link is kept for reloads and for further tabs.
 */
import { enterAnswer } from '../../src/editor/protocol.ts';

export interface Entry {
  readonly page: string;
  readonly linkUrl: () => string;
  /** Settles when the secret was exchanged; at once without one. */
  readonly ready: Promise<'entered' | 'refused'>;
  /** Whether the back end still takes this page. */
  readonly isAccepted: () => Promise<'accepted' | 'refused' | 'unreachable'>;
}

const kept = 'forerun.link';

export function enter(): Entry {
  const fragment = location.hash.slice(1);
  const secret = fragment === '' ? null : fragment;
  const page = crypto.randomUUID();
  const linkPath = (): string => localStorage.getItem(kept) ?? '';
  if (secret !== null) history.replaceState(null, '', location.pathname);
  return {
    page,
    linkUrl: () => new URL(linkPath(), location.href).href.replace(/^http/, 'ws'),
    ready: secret === null ? Promise.resolve(linkPath() === '' ? 'refused' : 'entered') : exchange(secret),
    isAccepted: () => probe(linkPath()),
  };
}

async function exchange(secret: string): Promise<'entered' | 'refused'> {
  const response = await fetch('/enter', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
  if (!response.ok) return 'refused';
  localStorage.setItem(kept, enterAnswer.parse(await response.json()).link);
  return 'entered';
}

/** A WebSocket that is refused looks like one that cannot be reached; a plain request tells them apart. */
async function probe(path: string): Promise<'accepted' | 'refused' | 'unreachable'> {
  try {
    const { status } = await fetch(path, { cache: 'no-store' });
    return status === 401 || status === 403 || status === 404 ? 'refused' : 'accepted';
  } catch {
    return 'unreachable';
  }
}
