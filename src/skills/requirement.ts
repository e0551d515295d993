/**
 * What the skills need of a language server, for the tool that sorts them into what works and what does not.
 *
 * Invariant: derived from the front matter of the skills alone; there is no second table.
 */
import type { SkillRequirement } from '../tools/skill-support.ts';
import type { Skill } from './skill.ts';

export function skillRequirements(skills: readonly Skill[]): readonly SkillRequirement[] {
  return skills.map(({ name, requiredCapabilities, optionalCapabilities }) => ({
    name,
    required: requiredCapabilities,
    optional: optionalCapabilities,
  }));
}
