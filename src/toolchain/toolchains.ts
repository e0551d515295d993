/**
 * All toolchains, and the choice for a workspace.
 *
 * Invariant: of several toolchains of one language, the first whose marker files are in the root is used.
 */
import { UnsupportedLanguage } from './build-failure.ts';
import { elixir, gleam } from './language/beam.ts';
import { cmake, make } from './language/c-family.ts';
import { csharp } from './language/csharp.ts';
import { dart } from './language/dart.ts';
import { javascript, typescript } from './language/ecmascript.ts';
import { go } from './language/go.ts';
import { gradle, maven } from './language/jvm.ts';
import { php } from './language/php.ts';
import { python } from './language/python.ts';
import { ruby } from './language/ruby.ts';
import { rust } from './language/rust.ts';
import { scala } from './language/scala.ts';
import { swift } from './language/swift.ts';
import { zig } from './language/zig.ts';
import type { TestConvention, Toolchain } from './toolchain.ts';

const toolchains: readonly Toolchain[] = [
  go,
  typescript,
  javascript,
  python,
  rust,
  csharp,
  swift,
  zig,
  gradle,
  maven,
  cmake,
  make,
  ruby,
  php,
  dart,
  elixir,
  gleam,
  scala,
];

/** The toolchain for a language in a root; without a language, one whose marker files are in the root. */
export async function toolchainFor(language: string | undefined, root: string): Promise<Toolchain> {
  const fit = toolchains.filter((each) =>
    language === undefined ? each.detect !== undefined : each.languages.includes(language),
  );
  for (const toolchain of fit) {
    if (!toolchain.detect || (await toolchain.detect(root))) return toolchain;
  }
  const [first] = fit;
  if (language === undefined || first === undefined) {
    throw new UnsupportedLanguage(language ?? 'unknown', `Set "language" to one of: ${knownLanguages()}.`);
  }
  return first;
}

/** The test conventions of a language; undefined if none are known. */
export function testConventionOf(language: string): TestConvention | undefined {
  return toolchains.find((each) => each.languages.includes(language))?.tests;
}

function knownLanguages(): string {
  return [...new Set(toolchains.flatMap((each) => each.languages[0] ?? []))].join(', ');
}
