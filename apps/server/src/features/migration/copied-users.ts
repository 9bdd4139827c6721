import type { CopiedPart } from '@postil/contract/copied-rows.ts'
import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import type { CopiedRow } from './source/copied-shapes.ts'

type Replace = (userId: string) => string
type OrNull = string | null

const orNull = (id: OrNull, replace: Replace): OrNull => (id === null ? null : replace(id))

/** Replaces the user ID under a key of an object. Returns the object unchanged if it has no ID under this key. */
const under = (object: JsonObject, key: string, replace: Replace): JsonObject => {
  const id = object[key]
  return typeof id === 'string' ? { ...object, [key]: replace(id) } : object
}

const inGoldAnswers = <T extends object>(values: { readonly [question: string]: T }, replace: Replace) =>
  Object.fromEntries(Object.entries(values).map(([name, one]) => [name, under(one as JsonObject, 'by', replace)]))

/** Replaces the users in an earlier version of an answer or of final answers. */
const inImage = (subject: CopiedRow['history']['subject'], image: JsonObject, replace: Replace): JsonObject => {
  const named = under(image, 'user_id', replace)
  const { returned, values } = named
  if (subject === 'response' && isJsonObject(returned) && isJsonObject(returned['by']))
    return { ...named, returned: { ...returned, by: under(returned['by'], 'id', replace) } }
  if (subject === 'gold' && isJsonObject(values))
    return { ...named, values: inGoldAnswers(values as { [question: string]: JsonObject }, replace) as JsonObject }
  return named
}

type Replacers = { readonly [P in CopiedPart]: (row: CopiedRow[P], replace: Replace) => CopiedRow[P] }

const byAuthor = <T extends { readonly user_id: string }>(row: T, replace: Replace): T => ({
  ...row,
  user_id: replace(row.user_id),
})

/** Returns a row with the IDs of its users replaced. */
export const replaceUsers: Replacers = {
  records: (row) => row,
  review: ({ review, view }, replace) => {
    const { reviewers, publish_gold_as, auto } = review
    return {
      review: {
        ...review,
        ...(reviewers !== undefined && { reviewers: reviewers.map(replace) }),
        ...(publish_gold_as !== undefined && { publish_gold_as: orNull(publish_gold_as, replace) }),
        ...(auto != null && { auto: { ...auto, by: replace(auto.by) } }),
      },
      view: view && byAuthor(view, replace),
    }
  },
  versions: byAuthor,
  seen_versions: byAuthor,
  gold: (row, replace) => ({
    ...byAuthor(row, replace),
    values: Object.fromEntries(Object.entries(row.values).map(([name, one]) => [name, { ...one, by: replace(one.by) }])),
  }),
  comments: (row, replace) => ({
    ...byAuthor(row, replace),
    mentions: row.mentions.map(replace),
    listed_for: row.listed_for.map(replace),
    resolved_by: orNull(row.resolved_by, replace),
  }),
  test_items: byAuthor,
  test_people: byAuthor,
  history: (row, replace) => ({
    ...row,
    user_id: orNull(row.user_id, replace),
    image: inImage(row.subject, row.image, replace),
  }),
  snapshots: byAuthor,
}
