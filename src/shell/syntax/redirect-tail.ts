/**
 * The redirects after a compound command.
 *
 * Invariant: consumes only redirects from the scanner.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import type { OutputRedirect, ShellInput } from './shell-list.ts';
import type { ShellScanner } from './shell-scanner.ts';

export interface RedirectTail {
  readonly input: ShellInput | undefined;
  readonly redirects: readonly OutputRedirect[];
}

export function readTail(scanner: ShellScanner): RedirectTail | ShellBoundary {
  const redirects: OutputRedirect[] = [];
  let input: ShellInput | undefined;
  for (;;) {
    const token = scanner.peek();
    if (isBoundary(token)) return token;
    if (token.kind === 'redirect') redirects.push(token.redirect);
    else if (token.kind === 'input') {
      if (input) return boundary('redirect', token.at, 'a command has two inputs');
      input = token.input;
    } else return { input, redirects };
    scanner.next();
  }
}
