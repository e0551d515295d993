/**
 * The server capabilities that skills need, for get_server_capabilities.
 *
 * Invariant: derived from the front matter of the skills; there is no second table.
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
