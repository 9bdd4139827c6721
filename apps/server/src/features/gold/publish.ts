import { createHash } from 'node:crypto'
import type { Db } from '#platform/db/db.ts'
import { printTime } from '#platform/time.ts'
import type { StoredGold } from './rows.ts'

type WithReview = { readonly review: { readonly [key: string]: unknown } | null }

/** The ID of the user that the review settings name, whether or not the user exists. */
const namedPublisher = ({ review }: WithReview): string | null =>
  (review?.['publish_gold_as'] as string | null | undefined) ?? null

/**
 * The user under whose name the final answers of a dataset are published as submitted answers. Null if there is none, or if the
 * user can sign in and could thus give other answers.
 */
export const publisherOf = async (db: Db, dataset: WithReview): Promise<string | null> => {
  const id = namedPublisher(dataset)
  if (id === null) return null
  const user = await db.sql
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('deactivated_at', 'is not', null)
    .executeTakeFirst()
  return user?.id ?? null
}

/** Whether final answers may be published. Doesn't check the user. */
export const mayPublish = (dataset: WithReview): boolean => namedPublisher(dataset) !== null

/**
 * Derives an ID from a record's ID. Every call for the same record returns the same ID. It can't equal the ID of a stored answer,
 * because it isn't a version 7 UUID.
 */
const publishedId = (recordId: string): string => {
  const hex = createHash('sha256').update(`gold ${recordId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Final answers in the wire format of an answer. */
export const printPublished = (gold: StoredGold, userId: string): string =>
  JSON.stringify({
    id: publishedId(gold.record_id),
    values: Object.fromEntries(Object.entries(gold.values).map(([question, { value }]) => [question, { value }])),
    status: 'submitted',
    record_id: gold.record_id,
    user_id: userId,
    version: gold.version,
    suggestion_outcomes: null,
    returned: null,
    gold: { stale: gold.stale },
    inserted_at: printTime(gold.inserted_at),
    updated_at: printTime(gold.updated_at),
  })
