/**
 * Shell texts for property tests.
 *
 * Invariant: every piece of syntax that the grammar knows, accepted or refused, can turn up anywhere.
 */
import fc from 'fast-check';
import { benignCommands } from './benign-commands.ts';
import { hostileCommands } from './hostile-commands.ts';

const nasty = fc.constantFrom(
  ...`ls cat echo grep a b.ts src/ -l --x=y /dev/null 2 1 12 0 {} {a,b} @{u} @{0} ~ HEAD~1 a~ = a= a=b # \\# a#b ! != [ ] [a]
  * ? a* ** $ $x $( \${ ) ( ' " \` \\ \\\\ \\' \\" '' "" 'a' "a" "a$" "a\\$" 'a\\' "\\a" > >> < << <<< <<- <> <& >& &> &>> 2> 2>&1 1>&2 >&2 2>&12
  | || |& & && ; ;; ;& >/dev/null 2>/dev/null &>/dev/null <<'E' <<-"E" <<\\E E <<E if then fi for do ! time { } [[ ]] ((
  ))`.split(/\s+/),
);
const space = fc.constantFrom(' ', ' ', ' ', '', '\t', '\n', '\\\n', ' \\\n', '\nE\n', '\n\tE\n', '  ');
/** Pieces of shell text that mean most where they are least expected, in any order. */
export const nastyText: fc.Arbitrary<string> = fc
  .array(fc.tuple(nasty, space), { maxLength: 14 })
  .map((parts) => parts.map(([piece, gap]) => piece + gap).join(''));

const known = fc.constantFrom(...benignCommands, ...Object.values(hostileCommands).flat());
/** The head of one known command, pieces, and the tail of another. */
export const splicedCommand: fc.Arbitrary<string> = fc
  .tuple(
    known,
    known,
    nastyText,
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([first, second, middle, cut, start]) => {
    const [head, tail] = [first.slice(0, cut * first.length), second.slice(start * second.length)];
    return head + middle + tail;
  });
