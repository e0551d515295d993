/**
 * The layout for a language server: the overlay is mounted on the workspace, and everything else is unchanged.
 *
 * Invariant: no path of the user appears in mount options, where commas, colons and backslashes are special; the
 * workspace is bound to a fixed name first.
 */
import type { MountLayout, Privilege } from './mount-namespace.ts';

/** `scratch` is an empty directory for the changed layer. */
export function openLayout(root: string, scratch: string, privilege: Privilege): MountLayout {
  return { script, args: [root, scratch, attributesOption(privilege)], besides: [] };
}

/** An unprivileged user can store the overlay's marks only in user attributes. */
export function attributesOption(privilege: Privilege): string {
  return privilege === 'root' ? '' : ',userxattr';
}

const script = `cd "$2" && mkdir lower upper work && mount --bind -- "$1" lower &&
  mount -t overlay -o "lowerdir=lower,upperdir=upper,workdir=work$3" -- overlay "$1" && echo mounted && read -r _`;
