import { answerSizeFault } from '@postil/contract/answer-size.ts'
import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import type { Gold } from '@postil/contract/gold.ts'
import { type AnsweredRecord, checkResponse } from '@postil/contract/record-rules.ts'
import type { GoldBody } from '@postil/contract/review.ts'
import { conflict, forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import {
  basisOf,
  goldOfRecords,
  printGold,
  type StoredGold,
  type StoredGoldAnswer,
  usernamesOf,
  usersIn,
  writeGold,
} from '#features/gold/public.ts'
import { recordScope } from '#features/records/public.ts'
import { splitsIn } from '#features/responses/public.ts'
import { questionRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { listChanges } from '#platform/db/record-changes.ts'
import { earlierVersions } from '#platform/db/statements/earlier-versions.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { type Micros, now } from '#platform/time.ts'
import { canReview, mayReviewOwn } from './settings.ts'

type Place = { readonly datasetNo: number; readonly seq: number }

const printed = async (db: Db, gold: StoredGold): Promise<Gold> => printGold(gold, await usernamesOf(db, usersIn(gold)))

/** The final answers that an idempotent request stored when it was first processed. */
const firstOutcome = async (db: Db, { datasetNo, seq }: Place, mutationId: string): Promise<StoredGold | null> => {
  const versions = await earlierVersions<StoredGold>(db, datasetNo, [seq], 'gold')
  return versions.find(({ version }) => version.last_mutation_id === mutationId)?.version ?? null
}

const submittedOf = (db: Db, { datasetNo, seq }: Place) =>
  db.sql
    .selectFrom('responses')
    .select(['id', 'version', 'user_id'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '=', seq)
    .where('status', '=', 'submitted')
    .execute()

const contentOf = async (db: Db, { datasetNo, seq }: Place): Promise<AnsweredRecord> => {
  const row = await db.sql
    .selectFrom('records')
    .select(['fields', 'metadata'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow()
  // Fields were validated by the contract's schema when they were stored.
  return { fields: row.fields as FieldValues, metadata: row.metadata }
}

type Author = { readonly by: string; readonly at: Micros }

/** The agents who proposed the current answers, which a person now confirms or changes. */
const proposers = async (db: Db, { is_agent = false }: Actor, current: StoredGold | null): Promise<ReadonlySet<string>> => {
  if (is_agent || current === null || current.final) return new Set()
  const authors = [...new Set(Object.values(current.values).map(({ by }) => by))]
  if (authors.length === 0) return new Set()
  const agents = await db.sql.selectFrom('users').select('id').where('id', 'in', authors).where('is_agent', '=', true).execute()
  return new Set(agents.map(({ id }) => id))
}

/** If an answer is unchanged, its author and time are kept, unless an agent had only proposed it. */
const storedValues = (
  sent: GoldBody['values'],
  current: StoredGold | null,
  author: Author & { readonly agents: ReadonlySet<string> },
): StoredGold['values'] =>
  Object.fromEntries(
    Object.entries(sent).map(([question, { value, source, reason = null, note = null }]): [string, StoredGoldAnswer] => {
      const before = current !== null && Object.hasOwn(current.values, question) ? current.values[question] : undefined
      const { by, at, ...same } = before ?? { by: null, at: null }
      const answer = { value, source, reason, note }
      const isKept = before !== undefined && !author.agents.has(before.by) && jsonEquals(same, answer)
      return [question, isKept ? before : { ...answer, by: author.by, at: author.at }]
    }),
  )

/**
 * Agents can only store drafts of final answers, and can't replace drafts or final answers by others. @throws Problem
 * unprocessable
 */
const checkAgent = (
  { id, is_agent = false }: Actor,
  recordId: string,
  { current, final }: { readonly current: StoredGold | null; readonly final: boolean },
): void => {
  if (!is_agent) return
  if (final) throw unprocessable(message('agentFinal'))
  const isOwnDraft = current === null || (!current.final && Object.values(current.values).every(({ by }) => by === id))
  if (!isOwnDraft) throw unprocessable(message('agentOtherGold', { record: recordId }))
}

type PutArgs = {
  readonly user: Actor
  readonly record_id: string
  /** Without a base version, any version is replaced. */
  readonly body: Omit<GoldBody, 'base_version'> & { readonly base_version?: number | null | undefined }
  /** The maximum size of the answers in bytes. */
  readonly maxAnswer: number
}

/**
 * Stores a record's final answers exactly once, even if the request is repeated. Agents can only store drafts, and can't replace
 * what others have stored. @throws Problem not_found, forbidden, conflict,
 * unprocessable
 */
export const putGold = command('review.put-gold', async (db, { user, record_id, body, maxAnswer }: PutArgs): Promise<Gold> => {
  const { dataset, record } = await recordScope(db, record_id, user, { hold: true })
  if (!canReview(user, dataset)) throw forbidden()
  const place = { datasetNo: dataset.no, seq: record.seq }
  const [questions, golds, content, submitted] = await pipeline([
    questionRows(db, dataset.id),
    goldOfRecords(db, dataset.no, [record.seq]),
    contentOf(db, place),
    submittedOf(db, place),
  ])
  const current = golds.get(record.seq) ?? null
  const { mutation_id, base_version, values, final } = body
  if (current?.last_mutation_id === mutation_id) return printed(db, current)
  if (base_version !== undefined && base_version !== (current?.version ?? null)) {
    const replayed = await firstOutcome(db, place, mutation_id)
    if (replayed !== null) return printed(db, replayed)
    throw conflict(message('otherGold', { record: record.id }), { gold: current && (await printed(db, current)) })
  }
  checkAgent(user, record.id, { current, final })
  if (!mayReviewOwn(user, dataset) && submitted.some(({ user_id }) => user_id === user.id))
    throw unprocessable(message('reviewOwn', { record: record.id }))
  const answers = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, { value }])) as AnswerValues
  const [split] = final ? splitsIn(answers, questions) : []
  if (split !== undefined) throw unprocessable(message('labelSplit', { label: split.label, labels: split.into.join(', ') }))
  const fault = answerSizeFault(answers, maxAnswer) ?? checkResponse(answers, final ? 'submitted' : 'draft', questions, content)
  if (fault !== null) throw unprocessable(fault)
  const at = now()
  const change = {
    seq: record.seq,
    record_id: record.id,
    before: current,
    values: storedValues(values, current, { by: user.id, at, agents: await proposers(db, user, current) }),
    final,
    basis: basisOf(submitted),
  }
  const [gold] = await writeGold(db, dataset.no, [change], { actor: user.id, mutationId: mutation_id, at })
  await pipeline(listChanges(db, dataset.no, user.id, new Set([record.seq])))
  if (gold === undefined) throw new Error('the final answers were not stored')
  return printed(db, gold)
})
