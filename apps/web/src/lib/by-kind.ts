/**
 * The slices that a glob found, by kind. Without a prototype, so that no kind is found that only has the name of one of its
 * members.
 */
export const byKind = <S extends { readonly kind: string }>(found: {
  readonly [path: string]: S
}): { readonly [kind: string]: S } =>
  Object.assign(Object.create(null), Object.fromEntries(Object.values(found).map((slice) => [slice.kind, slice])))
