import { currentAnswerValue } from '@postil/contract/question-types/index.ts'
import { withLabels } from '@postil/contract/question-types/with-labels.ts'
import { checkResponse } from '@postil/contract/record-rules.ts'
import type { Response } from '@postil/contract/responses.ts'
import { conflict, forbidden, type Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { goldOfRecords } from '#features/gold/public.ts'
import {
  checksOf,
  isAnswered,
  replaceTest,
  type StoredTest,
  scoreOf,
  storeTestImage,
  testsOfRecords,
} from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { earlierVersions } from '#platform/db/statements/earlier-versions.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import { now } from '#platform/time.ts'
import { withRetiredValues } from '../kept-parts.ts'
import { activeTimeAfter } from '../made-changes.ts'
import { responsePolicy } from '../policy.ts'
import { printTestAnswer } from '../rows.ts'
import { contentOf } from '../scope.ts'
import type { SentAnswer } from '../sent-answer.ts'
import { splitsIn } from '../split-labels.ts'
import type { LockedContext } from './write.ts'

type Context = Pick<LockedContext, 'scope' | 'questions'>

/**
 * Whether the user's answer to a locked record is an answer to a test item. False if the record is pending. Such a record needs
 * answers, so the answer counts like any other answer.
 */
export const isTestAnswer = ({ scope, own }: LockedContext): boolean =>
  own.isTest && own.current === null && scope.record.status === 'completed'

type Request = {
  readonly user: Actor
  /** The version that the answer must have; null if there must be none. Omit it to change any version. */
  readonly base?: number | null
  readonly mutationId?: string
  /** The refusal of a request whose base isn't the stored version. Default: 409 with the stored answer. */
  readonly refusal?: () => Problem
}

const printed = (test: StoredTest): Response | null => (isAnswered(test) ? printTestAnswer(test) : null)

const otherAnswer = (recordId: string, current: StoredTest): Problem =>
  conflict(message('otherAnswer', { record: recordId }), { response: printed(current) })

const loadTest = async (db: Db, { scope }: Context, userId: string): Promise<StoredTest> => {
  const { dataset, record } = scope
  const [test] = (await testsOfRecords(db, dataset.no, [record.seq], userId)).get(record.seq) ?? []
  if (test === undefined) throw new Error('the test item no longer exists')
  return test
}

/**
 * If a request with this mutation ID was processed before, returns the answer as that request stored it. Otherwise, returns
 * undefined.
 */
const firstOutcome = async (db: Db, { scope }: Context, test: StoredTest, mutationId: string | undefined) => {
  if (mutationId === undefined) return undefined
  if (test.last_mutation_id === mutationId) return test
  const versions = await earlierVersions<StoredTest>(db, scope.dataset.no, [scope.record.seq], 'test')
  return versions.find(({ version }) => version.id === test.id && version.last_mutation_id === mutationId)?.version
}

const baseOf = ({ status, version }: StoredTest): number | null => (status === null ? null : version)

/**
 * Changes the user's answer to a test item. This answer isn't one of the record's answers, so the change affects no count, status
 * or agreement. @throws Problem forbidden, conflict
 */
const changeTest = async (
  db: Db,
  context: Context,
  { user, base, mutationId, refusal }: Request,
  after: (test: StoredTest) => Promise<StoredTest> | StoredTest,
): Promise<{ readonly before: StoredTest; readonly test: StoredTest; readonly isReplayed: boolean }> => {
  const { scope } = context
  const before = await loadTest(db, context, user.id)
  if (before.status === null && !responsePolicy.create(user, scope)) throw forbidden()
  const replayed = await firstOutcome(db, context, before, mutationId)
  if (replayed !== undefined) return { before, test: replayed, isReplayed: true }
  if (base !== undefined && base !== baseOf(before)) throw refusal?.() ?? otherAnswer(scope.record.id, before)
  const test = await after(before)
  const place = { datasetNo: scope.dataset.no, seq: scope.record.seq }
  if (before.version > 0) await storeTestImage(db, place, before, { action: test.status === null ? 'delete' : 'update' })
  await replaceTest(db, place, test)
  return { before, test, isReplayed: false }
}

const scoreAgainstGold = async (
  db: Db,
  { scope, questions }: Context,
  status: ResponseStatus,
  values: StoredTest['values'],
): Promise<Pick<StoredTest, 'rightness' | 'gold_version'>> => {
  const { dataset, record } = scope
  if (status !== 'submitted') return { rightness: null, gold_version: null }
  const gold = (await goldOfRecords(db, dataset.no, [record.seq])).get(record.seq)
  const rightness = gold === undefined ? null : scoreOf(questions, values, gold, checksOf(dataset)?.tolerance ?? 0)
  return { rightness, gold_version: gold?.version ?? 0 }
}

/** Stores the user's answer to a test item. @throws Problem forbidden, conflict, unprocessable */
export const putTestAnswer = async (
  db: Db,
  context: Context,
  { sent, ...request }: Request & { readonly sent: SentAnswer },
): Promise<{ readonly response: Response; readonly created: boolean }> => {
  const { scope, questions } = context
  const { before, test, isReplayed } = await changeTest(db, context, request, async (current) => {
    const labeled = withLabels(sent.values ?? {}, questions, currentAnswerValue)
    // As with an ordinary answer: if it contains a label that was later split into several labels, it becomes a draft, so that
    // its author chooses one of the new labels.
    const status = sent.status === 'submitted' && splitsIn(labeled, questions).length > 0 ? 'draft' : sent.status
    const content = contentOf(scope)
    const fault = checkResponse(labeled, status, questions, content, sent.suggestion_outcomes)
    if (fault !== null) throw unprocessable(fault)
    const at = now()
    const kept = withRetiredValues({ ...sent, values: labeled }, current, questions, content.metadata)
    const values = (kept.values ?? {}) as StoredTest['values']
    const isSame = jsonEquals(current.values, values)
    return {
      ...current,
      values,
      status,
      suggestion_outcomes: kept.suggestion_outcomes ?? (isSame ? current.suggestion_outcomes : null),
      active_ms: activeTimeAfter(current.active_ms, sent.active_ms),
      version: current.version + 1,
      last_mutation_id: request.mutationId ?? null,
      ...(await scoreAgainstGold(db, context, status, values)),
      inserted_at: current.status === null ? at : current.inserted_at,
      updated_at: at,
    }
  })
  const response = printed(test)
  if (response === null) throw otherAnswer(scope.record.id, before)
  return { response, created: !isReplayed && before.status === null }
}

/** Deletes the user's answer to a test item. @returns the deleted answer, or null. @throws Problem forbidden, conflict */
export const clearTestAnswer = async (
  db: Db,
  context: Context,
  { activeMs, ...request }: Request & { readonly activeMs?: number | null | undefined },
): Promise<Response | null> => {
  const { before, isReplayed } = await changeTest(db, context, request, (current) => ({
    ...current,
    values: {},
    status: null,
    suggestion_outcomes: null,
    active_ms: activeTimeAfter(current.active_ms, activeMs),
    version: current.version + 1,
    last_mutation_id: request.mutationId ?? null,
    rightness: null,
    gold_version: null,
    updated_at: now(),
  }))
  if (!isReplayed) return printed(before)
  const versions = await earlierVersions<StoredTest>(db, context.scope.dataset.no, [context.scope.record.seq], 'test')
  const deleted = versions.map(({ version }) => version).filter(({ id, status }) => id === before.id && status !== null)
  const [last] = deleted.sort((a, b) => b.version - a.version)
  return last === undefined ? null : printed(last)
}
