/**
 * What a skill needs of a language server, and what becomes of it on one.
 *
 * Skills are read above this layer; whoever composes the program hands their requirements down in the tool context.
 *
 * Invariant: a skill is unsupported exactly when something it requires is missing.
 */
export interface SkillRequirement {
  readonly name: string;
  /** Keys of a server's capabilities. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** As get_server_capabilities answers it. */
export interface SkillSupport {
  readonly name: string;
  readonly status: 'supported' | 'partial' | 'unsupported';
  readonly missing_required?: readonly string[];
  readonly missing_optional?: readonly string[];
}

/** `has` answers for one capability of the server. */
export function skillSupport(
  { name, required, optional }: SkillRequirement,
  has: (capability: string) => boolean,
): SkillSupport {
  const missingRequired = required.filter((capability) => !has(capability));
  const missingOptional = optional.filter((capability) => !has(capability));
  return {
    name,
    status: missingRequired.length > 0 ? 'unsupported' : missingOptional.length > 0 ? 'partial' : 'supported',
    ...(missingRequired.length > 0 && { missing_required: missingRequired }),
    ...(missingOptional.length > 0 && { missing_optional: missingOptional }),
  };
}
