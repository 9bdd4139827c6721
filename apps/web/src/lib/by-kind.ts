/**
 * Returns the slices that `import.meta.glob` found, keyed by kind. A slice is the code for one question or field type. The object
 * has no prototype, so that names such as `constructor` aren't found as kinds.
 */
export const byKind = <S extends { readonly kind: string }>(found: {
  readonly [path: string]: S
}): { readonly [kind: string]: S } =>
  Object.assign(Object.create(null), Object.fromEntries(Object.values(found).map((slice) => [slice.kind, slice])))
