/** Nominal types: a branded string can only be made by the function that checked it. */
declare const brand: unique symbol;

export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
