/** Members that may be undefined become members that may be absent. */
type Present<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/**
 * The same record without the members that are undefined: an optional property is absent, never `undefined`, so that records
 * compare equal and survive JSON.
 */
export function present<const T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;
}
