/** The programs of sed and awk that are accepted do nothing but print, whatever they are made of. */
import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../src/process/run-command.ts';
import { readShellCommand } from '../../src/shell/shell-reading.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

const never = new AbortController().signal;

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Different programs made of these pieces that the reader accepts behind `command`. */
function acceptedPrograms(command: string, from: readonly string[], count: number): readonly string[] {
  const program = fc
    .array(fc.constantFrom(...from), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join(''));
  const accepted = fc
    .sample(program, count)
    .filter((text) => readShellCommand(`${command} ${quoted(text)} file`).kind === 'readonly');
  return [...new Set(accepted)];
}

async function runIn(scratch: ScratchWorkspace, command: readonly string[]): Promise<string> {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
  const limits = { timeoutMs: 10_000, maxOutputBytes: 10_000 };
  const result = await runCommand({ command, cwd: scratch.workspace.root, env, ...limits }, never);
  expect(result.timedOut, command.join(' ')).toBe(false);
  return result.stderr;
}

/** Pieces apart by white space; a middle dot in one stands for a blank. */
function pieces(list: string): readonly string[] {
  return [
    ...list
      .trim()
      .split(/\s+/)
      .map((piece) => piece.replaceAll('·', ' ')),
    ' ',
    ' ',
    '\n',
    ';',
  ];
}

const sedPieces =
  pieces(String.raw`s/ s, s| y/ / / / , | [ ] [^ [/] \ \/ \n \, a b w e r W R F i p d q n N = l g I M 1 $ 0 +
  ~ ! { } ; # - : /a/ /b/I /a s/a/b/ s/a/b/w s/a/b/w·marked s/a/touch·marked/e w·marked 1w·marked $!w·marked r·file e·touch·marked
  1e·touch·marked a\ c\ i\ a·x }w·marked :a ba ta D G h 1,2p $!N s/[^/]/b/ s,[,],w·marked, y/ab/cd/ [:alpha:] [[:a] s/]/[/`);

const awkPieces =
  pieces(String.raw`{ } ( ) print printf > >> | || & && "marked" "x" " / /a/ /[/]/ /"/ [ ] $1 $ x a b = == ~ !~ ! , ; # \ + ++
  -- - 1 0 in if( if(1) for( else BEGIN END BEGIN{ x[ system("touch·marked") getline print·>"marked" print·1>"marked" "touch·marked"|getline
  print|"touch·marked" print(1)>"marked" length NR /= % * ? : next exit delete printf("a")>"marked" "/" "\" /\//`);

describe('scripts', { timeout: 240_000 }, () => {
  test('sed itself finds nothing to forbid in an accepted script', async () => {
    await using scratch = await ScratchWorkspace.create({ file: 'a\nb\nab\n' });
    const scripts = acceptedPrograms('sed', sedPieces, 6000).slice(0, 120);
    expect(scripts.length).toBeGreaterThan(30);
    for (const script of scripts) {
      const said = await runIn(scratch, ['sed', '--sandbox', '-n', '--', script, 'file']);
      expect(said, script).not.toContain('sandbox');
    }
    expect(await readdir(scratch.workspace.root)).toEqual(['file']);
  });

  test('an accepted awk program leaves no mark', async () => {
    await using scratch = await ScratchWorkspace.create({ file: 'a\nb\nab\n' });
    const programs = acceptedPrograms('awk', awkPieces, 6000).slice(0, 120);
    expect(programs.length).toBeGreaterThan(30);
    for (const program of programs) {
      await runIn(scratch, ['awk', '--', program, 'file']);
      expect(await readdir(scratch.workspace.root), program).toEqual(['file']);
    }
  });
});
