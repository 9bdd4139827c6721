import { AnswerValue } from '@postil/contract/answer-value.ts'
import { GoldReason, GoldSource } from '@postil/contract/gold.ts'
import { ResponseStatus } from '@postil/contract/responses.ts'
import { SavedViewCreate, ViewQuery } from '@postil/contract/saved-views.ts'
import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { z } from 'zod'
import type { AdoptedVersion } from '#features/schema-versions/public.ts'
import type { StoredSnapshot } from '#features/snapshots/public.ts'

/* Rows as another Postil server stores them. See `copied-rows.ts`. */

const uuid = z.uuid()
const count = z.int().min(0)
const micros = z.int().min(0)
// An object schema would lose the key __proto__.
const objectOf = <T>() => z.custom<T>(isJsonObject, 'is not an object')
const object = objectOf<JsonObject>()
const place = { seq: count, record_id: uuid }

const GoldAnswer = z.object({
  value: AnswerValue,
  source: GoldSource,
  reason: GoldReason.nullable(),
  note: z.string().nullable(),
  by: uuid,
  at: micros,
})
const GoldRow = z.object({
  ...place,
  values: z.record(z.string(), GoldAnswer),
  final: z.boolean(),
  stale: z.boolean(),
  basis: z.string(),
  version: z.int().min(1),
  last_mutation_id: z.string().nullable(),
  user_id: uuid,
  inserted_at: micros,
  updated_at: micros,
})
const CommentRow = z.object({
  ...place,
  id: uuid,
  parent: uuid.nullable(),
  user_id: uuid,
  text: z.string(),
  deleted: z.boolean(),
  about: z
    .object({
      response_id: uuid.nullable(),
      question: z.string().nullable(),
      span: z.object({ field: z.string(), start: count, end: count }).nullable(),
    })
    .nullable(),
  mentions: z.array(uuid),
  listed_for: z.array(uuid),
  resolved_by: uuid.nullable(),
  resolved_at: micros.nullable(),
  edited_at: micros.nullable(),
  inserted_at: micros,
})
const TestRow = z.object({
  ...place,
  id: uuid,
  user_id: uuid,
  values: z.record(z.string(), z.object({ value: AnswerValue })),
  suggestion_outcomes: object.nullable(),
  status: ResponseStatus.nullable(),
  active_ms: count.nullable(),
  version: count,
  last_mutation_id: z.string().nullable(),
  rightness: z.number().min(0).max(1).nullable(),
  gold_version: count.nullable(),
  inserted_at: micros,
  updated_at: micros,
})
const HistoryRow = z.object({
  seq: count,
  /** Null if the record has been deleted. */
  record_id: uuid.nullable(),
  id: uuid,
  subject: z.enum(['record', 'response', 'gold', 'suggestion', 'test']),
  subject_id: uuid,
  action: z.enum(['update', 'delete']),
  user_id: uuid.nullable(),
  at: micros,
  image: object,
})
const ReviewRow = z.object({
  review: z.looseObject({
    reviewers: z.array(uuid).optional(),
    publish_gold_as: uuid.nullish(),
    auto: z.looseObject({ by: uuid }).nullish(),
    checks: z.looseObject({ view_id: uuid.nullish() }).nullish(),
  }),
  /**
   * The view that selects the test items. It is included here because the list of views leaves out other users' private views.
   */
  view: z
    .object({
      id: uuid,
      user_id: uuid,
      name: SavedViewCreate.shape.name,
      query: ViewQuery,
      shared: z.boolean(),
      inserted_at: micros,
      updated_at: micros,
    })
    .nullish(),
})

/** The rows of each part. */
export const copiedShapes = {
  records: z.object({ seq: count, id: uuid }),
  review: ReviewRow,
  versions: z.object({
    no: z.int().min(1),
    at: micros,
    user_id: uuid,
    note: z.string().nullable(),
    // The source validated the changes and the snapshot when it stored them.
    changes: z.array(objectOf<AdoptedVersion['changes'][number]>()),
    snapshot: z.array(objectOf<AdoptedVersion['snapshot'][number]>()),
  }),
  seen_versions: z.object({ user_id: uuid, version_no: count }),
  gold: GoldRow,
  comments: CommentRow,
  test_items: TestRow,
  test_people: z.object({ user_id: uuid, handed_out: count, continued_at: micros.nullable() }),
  history: HistoryRow,
  snapshots: z.object({
    id: uuid,
    name: z.string(),
    at: micros,
    user_id: uuid,
    next_seq: count,
    content: objectOf<StoredSnapshot['content']>(),
  }),
} as const
export type CopiedRow = { readonly [P in keyof typeof copiedShapes]: z.output<(typeof copiedShapes)[P]> }
