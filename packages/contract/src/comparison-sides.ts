/** The fields that a comparison shows, in the order in which a person sees them. */
export type Sides = [first: string, second: string]

/** For each question, the compared fields in the order in which one person saw them. The keys are question names. */
export type Shown = { [question: string]: Sides }

type Compared = { readonly options: { readonly [option: string]: string }; readonly swap: boolean }

/** The two compared fields, in the order of the settings. */
export const comparedFields = ({ options }: Pick<Compared, 'options'>): Sides => {
  const [first = '', second = ''] = new Set(Object.values(options))
  return [first, second]
}

/**
 * Whether a person sees the second field of a record first. The order is swapped for half of all pairs of record and person, and
 * stays the same when the person returns. The hash is FNV-1a with the final mix of MurmurHash3, because the bits of FNV-1a alone
 * are not evenly distributed for similar IDs.
 */
const isSwapped = (recordId: string, userId: string): boolean => {
  let hash = 0x811c9dc5
  for (const character of `${recordId}/${userId}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) & 1) === 1
}

/** The order in which a person sees the compared fields of a record. */
export const sidesFor = (
  compare: Compared,
  { recordId, userId }: { readonly recordId: string; readonly userId: string },
): Sides => {
  const [first, second] = comparedFields(compare)
  return compare.swap && isSwapped(recordId, userId) ? [second, first] : [first, second]
}

type Question = { readonly name: string; readonly settings: object }

/** Returns the entries that name a comparison question and its two fields. Null if there are none. */
export const fittingShown = (shown: Shown | null, questions: readonly Question[]): Shown | null => {
  const fitting = Object.entries(shown ?? {}).filter(([name, [first, second]]) => {
    const settings = questions.find((question) => question.name === name)?.settings
    if (settings === undefined || !('compare' in settings)) return false
    const fields = comparedFields(settings.compare as Compared)
    return first !== second && fields.includes(first) && fields.includes(second)
  })
  return fitting.length === 0 ? null : Object.fromEntries(fitting)
}
