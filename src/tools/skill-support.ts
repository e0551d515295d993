/**
 * The capabilities a skill needs, and whether a server supports it.
 *
 * Skills are loaded above this layer; the host passes their requirements down in the tool context.
 *
 * Invariant: a skill is unsupported exactly if a required capability is missing.
 */
export interface SkillRequirement {
  readonly name: string;
  /** Names of server capabilities. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** In the shape of get_server_capabilities. */
export interface SkillSupport {
  readonly name: string;
  readonly status: 'supported' | 'partial' | 'unsupported';
  readonly missing_required?: readonly string[];
  readonly missing_optional?: readonly string[];
}

/** `has` says whether the server has a capability. */
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
