/**
 * The settings of a question or field that determine its kind. `type` is a type of the published wire. A kind that exists only
 * in Postil also has its name in `postil_kind`. Its `type` is the published type whose values it uses, so that other programs
 * read it as that type.
 */
export type KindNames = { readonly type: string; readonly postil_kind?: unknown }

/**
 * The kind that the settings specify: `postil_kind` if `kinds` contains it, otherwise the published type. A program that doesn't
 * know a kind therefore uses the published type.
 */
export const kindIn = <K extends string>(kinds: { readonly [kind in K]: unknown }, { type, postil_kind }: KindNames): K =>
  (typeof postil_kind === 'string' && Object.hasOwn(kinds, postil_kind) ? postil_kind : type) as K

/** Returns an error message if an update names a different kind than the stored settings. Otherwise, returns null. */
export const kindFault = (what: 'Question' | 'Field', stored: KindNames, update: KindNames): string | null => {
  const refused = (expected: unknown, found: unknown) =>
    `${what} type cannot be changed: expected '${expected}' but got '${found}'`
  if (update.type !== stored.type) return refused(stored.type, update.type)
  // Clients that don't know the kind send the published type alone.
  if (update.postil_kind === undefined || update.postil_kind === stored.postil_kind) return null
  return refused(stored.postil_kind ?? stored.type, update.postil_kind)
}
