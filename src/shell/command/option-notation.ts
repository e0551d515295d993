/**
 * The notation in which a command's options are written down, much as its manual lists them:
 *
 *     -abc        letters without a value         --name      a name without a value
 *     -n=#        a letter with a number          --name=#    a name with a number
 *     -e=         a letter with any text          --name=     a name with any text
 *     -f=<        a letter with a file it reads   --name=<    a name with a file it reads
 *     -C=?        a value, if any, is attached    --name=?    likewise, after an equals sign
 *     -#          a number by itself, as in head -20
 *
 * Invariant: what is not written down is not allowed; names are never completed.
 */
export type Taking = 'nothing' | 'text' | 'number' | 'file' | 'attached';

export interface OptionSet {
  readonly short: ReadonlyMap<string, Taking>;
  readonly long: ReadonlyMap<string, Taking>;
  /** Whether a bare number such as -20 is an option. */
  readonly takesNumber: boolean;
}

export function parseOptions(notation: string): OptionSet {
  const short = new Map<string, Taking>();
  const long = new Map<string, Taking>();
  let takesNumber = false;
  for (const written of notation.split(/\s+/).filter(Boolean)) {
    const [name = '', marker] = splitMarker(written);
    if (written === '-#') takesNumber = true;
    else if (name.startsWith('--')) long.set(name.slice(2), takings[marker] ?? 'nothing');
    else for (const letter of name.slice(1)) short.set(letter, takings[marker] ?? 'nothing');
  }
  return { short, long, takesNumber };
}

const takings: Readonly<Record<string, Taking>> = {
  '': 'nothing',
  '=': 'text',
  '=#': 'number',
  '=<': 'file',
  '=?': 'attached',
};

function splitMarker(written: string): readonly [string, string] {
  const equals = written.indexOf('=');
  return equals < 0 ? [written, ''] : [written.slice(0, equals), written.slice(equals)];
}
