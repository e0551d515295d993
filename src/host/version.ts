/** The version of this package, from its manifest. */
import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;
