/**
 * What benches share in one run: the generated workspaces, made once, and a voice for progress.
 *
 * Invariant: disposing it removes every workspace it made.
 */
import { dialects, type GeneratedWorkspace, generateWorkspace } from './generated-workspace.ts';

export type GeneratedLanguage = keyof typeof dialects;

export class BenchContext implements AsyncDisposable {
  readonly #tell: (progress: string) => void;
  readonly #made = new Map<GeneratedLanguage, Promise<GeneratedWorkspace>>();

  constructor(tell: (progress: string) => void) {
    this.#tell = tell;
  }

  /** Says what is going on while nothing can be printed. */
  progress(text: string): void {
    this.#tell(text);
  }

  /** The generated workspace of a language. Nobody writes to it. */
  generated(language: GeneratedLanguage): Promise<GeneratedWorkspace> {
    const known = this.#made.get(language);
    if (known) return known;
    this.progress(`writing 2,000 ${language} files`);
    const made = generateWorkspace(dialects[language]);
    this.#made.set(language, made);
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const made of this.#made.values()) await (await made)[Symbol.asyncDispose]();
  }
}
