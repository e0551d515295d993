/** Failures of skills: an invalid file, and invalid activations. */
import { Failure } from '../base/failure.ts';

export class MalformedSkill extends Failure {
  readonly code = 'skills/malformed';
  readonly remedy = 'Correct the front matter of the SKILL.md; the lines between the two --- are YAML.';

  constructor(reason: string, options?: ErrorOptions) {
    super(`the front matter cannot be read: ${reason}`, options);
  }
}

export class UnknownSkill extends Failure {
  readonly code = 'skills/unknown';
  readonly remedy = 'Give one of the available skills; the others are not enforced.';

  constructor(name: string, available: readonly string[]) {
    super(`unknown skill "${name}"; available skills: [${available.join(', ')}]`);
  }
}

export class SkillActive extends Failure {
  readonly code = 'skills/already-active';
  readonly remedy = 'Call deactivate_skill, then activate_skill again.';

  constructor(name: string) {
    super(`skill "${name}" is already active; call deactivate_skill first`);
  }
}
