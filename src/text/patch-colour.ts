/**
 * A patch without the colours that `git diff --color` or a pager put around its lines.
 *
 * Invariant: a patch whose headers carry no colour is returned as it is, so escape sequences inside a source file survive.
 */
export function withoutColour(patch: string): string {
  return colouredHeader.test(patch) ? patch.replaceAll(colour, '') : patch;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escape sequences begin with a control character.
const colour = /\u001b\[[\d;]*[mK]/g;

/** A header line with a colour before or behind its first word. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escape sequences begin with a control character.
const colouredHeader = /^(?:\u001b\[[\d;]*[mK])+(?:diff --|--- |\+\+\+ |@@ |Binary files )/m;
