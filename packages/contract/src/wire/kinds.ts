/**
 * The settings of a question or field that determine its kind. `type` is always a type that Argilla has. A kind that exists only
 * in Postil also has its name in `postil_kind`. Its `type` is then the Argilla type whose values it uses, so that programs for
 * Argilla can read it.
 */
export type KindNames = { readonly type: string; readonly postil_kind?: unknown }

/**
 * Returns the name of the kind that the settings specify: `postil_kind` if `kinds` contains it, otherwise `type`. A question of a
 * kind that isn't in `kinds` is therefore treated as a question of a type of Argilla's API.
 */
export const kindIn = <K extends string>(kinds: { readonly [kind in K]: unknown }, { type, postil_kind }: KindNames): K =>
  (typeof postil_kind === 'string' && Object.hasOwn(kinds, postil_kind) ? postil_kind : type) as K

/** Returns an error message if an update names a different kind than the stored settings. Otherwise, returns null. */
export const kindFault = (what: 'Question' | 'Field', stored: KindNames, update: KindNames): string | null => {
  const refused = (expected: unknown, found: unknown) =>
    `${what} type cannot be changed: expected '${expected}' but got '${found}'`
  if (update.type !== stored.type) return refused(stored.type, update.type)
  // Clients that don't know `postil_kind` send only `type`.
  if (update.postil_kind === undefined || update.postil_kind === stored.postil_kind) return null
  return refused(stored.postil_kind ?? stored.type, update.postil_kind)
}
