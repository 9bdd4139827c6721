import { withoutAccents } from './without-accents.ts'

/**
 * The forms in which a name and a query are compared, strictest first: as written, in composed form, ignoring case, ignoring
 * accents.
 */
const forms: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.trim().normalize('NFC'),
  (text) => text.trim().normalize('NFC').toLowerCase(),
  (text) => withoutAccents(text.trim()),
]

/** The kinds of matches, closest first: the whole name, its beginning, any other part. */
const kinds: readonly ((name: string, query: string) => boolean)[] = [
  (name, query) => name === query,
  (name, query) => name.startsWith(query),
  (name, query) => name.includes(query),
]

/** A query in all forms, for comparison with many names. */
type Query = readonly string[]

/**
 * How closely a name matches a query. `kind` is an index into `kinds`. `form` is the lowest index into `forms` with a match.
 * Lower is closer.
 */
type NameMatch = { readonly kind: number; readonly form: number }

const matchName = (name: string, query: Query): NameMatch | null => {
  const named = forms.map((form) => form(name))
  for (const [kind, matches] of kinds.entries()) {
    // Skips empty forms, because every name would match them. A single accent, for example, has an empty form.
    const form = query.findIndex((wanted, index) => wanted !== '' && matches(named[index] ?? '', wanted))
    if (form !== -1) return { kind, form }
  }
  return null
}

/**
 * Returns the entries whose names match a query, closest first: whole names, then names that begin with the query, then the rest.
 * Within each group, names that match as written come first, then those that differ only in case, then those that differ in
 * accents. Entries that match equally well keep their order.
 */
export const closestFirst = <T>(entries: readonly T[], nameOf: (entry: T) => string, query: string): readonly T[] => {
  const queryForms = forms.map((form) => form(query))
  return entries
    .flatMap((entry) => {
      const match = matchName(nameOf(entry), queryForms)
      return match === null ? [] : [{ entry, match }]
    })
    .toSorted(({ match: a }, { match: b }) => a.kind - b.kind || a.form - b.form)
    .map(({ entry }) => entry)
}
