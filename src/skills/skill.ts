/**
 * A written workflow: front matter for programs, a body for the agent that follows it.
 *
 * Invariant: only top-level keys of the front matter describe the skill, never the description of a phase.
 */
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf } from '../base/failure.ts';
import { readArgumentHint, type SkillArgument } from './argument-hint.ts';
import { MalformedSkill } from './failure.ts';
import type { PhasePlan } from './phase.ts';

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly SkillArgument[];
  /** The tools it may use, by the names an agent sees; some are the agent's own. */
  readonly allowedTools: readonly string[];
  readonly requiredCapabilities: readonly string[];
  readonly optionalCapabilities: readonly string[];
  /** Absent: the skill is advice and not enforced. */
  readonly plan: PhasePlan | undefined;
  readonly body: string;
}

/** Loads the skills once; may be called often. */
export type SkillLoader = () => Promise<readonly Skill[]>;

/** Parses a SKILL.md; undefined if the text has no front matter or names no skill. */
export function parseSkill(text: string): Skill | undefined {
  const parts = splitFrontMatter(text);
  if (!parts) return undefined;
  const fields = readYaml(parts.head);
  if (!namesSkill(fields)) return undefined;
  const read = frontMatter.safeParse(fields);
  if (!read.success) throw new MalformedSkill(z.prettifyError(read.error));
  const { name, description, metadata } = read.data;
  return {
    name,
    description,
    arguments: readArgumentHint(read.data['argument-hint']),
    allowedTools: read.data['allowed-tools'],
    requiredCapabilities: metadata['required-capabilities'],
    optionalCapabilities: metadata['optional-capabilities'],
    plan: metadata.tool_permissions,
    body: parts.body.trim(),
  };
}

/** The text between a first line `---` and the next one, and the text after it. */
function splitFrontMatter(text: string): { readonly head: string; readonly body: string } | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (lines[0]?.trimEnd() !== '---' || end < 0) return undefined;
  return { head: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}

/** A list, or its items in one string separated by spaces. */
const words = z
  .union([z.string().transform((line) => line.split(/\s+/).filter(Boolean)), z.array(z.string())])
  .default([]);

const patterns = z.array(z.string()).default([]);

const phase = z.object({
  description: z.string().default(''),
  allowed: patterns,
  forbidden: patterns,
  optional: z.boolean().default(false),
});

const permissions = z
  .object({ phases: z.record(z.string(), phase), global_forbidden: patterns })
  .transform(({ phases, global_forbidden }, check): PhasePlan => {
    const [first, ...rest] = Object.entries(phases).map(([name, { optional, ...lists }]) => ({
      name,
      ...lists,
      isOptional: optional,
    }));
    if (first) return { phases: [first, ...rest], globallyForbidden: global_forbidden };
    check.addIssue('an enforced skill needs at least one phase');
    return z.NEVER;
  });

const frontMatter = z.object({
  name: z.string(),
  description: z.string().default(''),
  'argument-hint': z.string().default(''),
  'allowed-tools': words,
  metadata: z
    .object({
      'required-capabilities': words,
      'optional-capabilities': words,
      tool_permissions: permissions.optional(),
    })
    .prefault({}),
});

function readYaml(head: string): unknown {
  try {
    return parse(head);
  } catch (cause) {
    throw new MalformedSkill(messageOf(cause), { cause });
  }
}

function namesSkill(fields: unknown): boolean {
  return typeof fields === 'object' && fields !== null && 'name' in fields && fields.name !== '';
}
