import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import type { RelabelCounts } from '@postil/contract/jobs.ts'
import { currentAnswerValue } from '@postil/contract/question-types/index.ts'
import { withLabels } from '@postil/contract/question-types/with-labels.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import type { StoredVersion } from '#features/datasets/public.ts'
import { authorOf, goldOfRecords, relabelGold, type StoredGold, usernamesOf } from '#features/gold/public.ts'
import { type LabeledSuggestion, relabelSuggestions } from '#features/records/public.ts'
import {
  changeSplitAnswers,
  loadAnswers,
  relabelAnswers,
  type StoredResponse,
  splitsIn,
  type Tally,
} from '#features/responses/public.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import { relabelTests, type StoredTest } from '#features/test-items/public.ts'
import type { Db } from '#platform/db/db.ts'
import { earlierVersions } from '#platform/db/statements/earlier-versions.ts'
import { now, printTime } from '#platform/time.ts'

type Image<T> = T & { readonly schema_version?: number; readonly split?: boolean }

/** What the records contained before a version changed their labels. */
type Earlier = {
  readonly answers: ReadonlyMap<string, Image<StoredResponse>>
  readonly gold: ReadonlyMap<string, StoredGold>
  readonly suggestions: ReadonlyMap<string, LabeledSuggestion>
  readonly tests: ReadonlyMap<string, StoredTest>
}
const nothing: Earlier = { answers: new Map(), gold: new Map(), suggestions: new Map(), tests: new Map() }

const earlierOf = async (db: Db, datasetNo: number, seqs: readonly number[], version: number): Promise<Earlier> => {
  const imagesOf = async <T>(subject: 'response' | 'gold' | 'suggestion' | 'test', keyOf: (image: T) => string) => {
    const images = (await earlierVersions<Image<T>>(db, datasetNo, seqs, subject)).map((one) => one.version)
    return new Map(images.flatMap((image) => (image.schema_version === version ? [[keyOf(image), image]] : [])))
  }
  return {
    answers: await imagesOf<StoredResponse>('response', ({ id }) => id),
    gold: await imagesOf<StoredGold>('gold', ({ record_id }) => record_id),
    suggestions: await imagesOf<LabeledSuggestion>('suggestion', ({ id }) => id),
    tests: await imagesOf<StoredTest>('test', ({ id }) => id),
  }
}

type Values = { readonly [question: string]: { readonly value: unknown } }

/**
 * Returns `values`, but with the values that the given questions have in `earlier`. A question that is missing in `values` or in
 * `earlier` doesn't change.
 */
const restored = <T extends Values>(values: T, earlier: T, questions: ReadonlySet<string>): T =>
  ({
    ...values,
    ...Object.fromEntries(
      [...questions].flatMap((name) =>
        Object.hasOwn(values, name) && Object.hasOwn(earlier, name) ? [[name, earlier[name]]] : [],
      ),
    ),
  }) as T

type RelabelArgs = {
  readonly dataset_no: number
  readonly questions: readonly QuestionRow[]
  /** The records, which the caller has locked. */
  readonly seqs: readonly number[]
  readonly actor: string | null
  readonly version: StoredVersion
  /** The version that is reverted, if any. */
  readonly reverted: StoredVersion | null
  /** Collects counter changes, which the caller writes. */
  readonly tally: Tally
  /** By how much a rating in an answer to a test item may differ from the final answer. */
  readonly tolerance: number
  /** Whether the version is copied from another server. If so, history entries get the time of the version. */
  readonly isCopied: boolean
}

/**
 * Sends submitted answers that contain split labels back to their authors, and replaces renamed and merged labels in everything
 * that the records contain. For a revert, first restores what the reverted version changed, except what has changed since then.
 */
export const relabelRecords = async (
  db: Db,
  { dataset_no, questions, seqs, actor, version, reverted, tally, tolerance, isCopied }: RelabelArgs,
): Promise<RelabelCounts> => {
  const earlier = reverted === null ? nothing : await earlierOf(db, dataset_no, seqs, reverted.no)
  const touched = questions.filter(({ id }) => reverted?.snapshot.some(({ question_id }) => question_id === id))
  const names = new Set(touched.map(({ name }) => name))
  const current = <T extends Values>(values: T, before: T): T => {
    const after = withLabels(values, questions, currentAnswerValue) as T
    return jsonEquals(after, before) ? before : after
  }
  const of = { dataset_no, actor, schemaVersion: version.no, changedAt: isCopied ? version.at : undefined }
  const stored = await loadAnswers(db, dataset_no, seqs)
  // Read before answers are returned to their authors, because each returned answer makes final answers stale.
  const golds = await goldOfRecords(db, dataset_no, seqs)
  const stale = new Set([...golds].flatMap(([seq, gold]) => (gold.stale ? [seq] : [])))
  const split = { dataset_no, actor: actor ?? version.user_id, stored, tally }
  const submitted = await changeSplitAnswers(db, {
    ...split,
    splitIn: null,
    changeOf: (answer) => {
      const image = earlier.answers.get(answer.id)
      if (image?.split !== true || image.version + 1 !== answer.version) return null
      const { status, suggestion_outcomes } = image
      const values = current(restored(answer.values, image.values, names), answer.values)
      return { status, values: values as AnswerValues, suggestion_outcomes }
    },
  })
  const by = authorOf(version.user_id, await usernamesOf(db, [version.user_id]))
  const due = await changeSplitAnswers(db, {
    ...split,
    splitIn: version.no,
    changeOf: ({ status, values, suggestion_outcomes }) => {
      const labels = status === 'submitted' ? splitsIn(current(values, values), questions) : []
      if (labels.length === 0) return null
      const returned = { by, at: printTime(now()), comment: version.note ?? '', split: labels }
      return { status: 'draft', values: values as AnswerValues, suggestion_outcomes, returned }
    },
  })
  const keptRecords: string[] = []
  const isMoved = submitted.size + due.size > 0
  const answers = await relabelAnswers(db, {
    ...of,
    stored: isMoved ? await loadAnswers(db, dataset_no, seqs) : stored,
    valuesOf: ({ id, record_id, version: no, values }) => {
      const image = submitted.has(id) ? undefined : earlier.answers.get(id)
      const isSame = image?.version === no
      if (image !== undefined && !isSame) keptRecords.push(record_id)
      return current(image !== undefined && isSame ? restored(values, image.values, names) : values, values)
    },
  })
  const gold = await relabelGold(db, {
    ...of,
    seqs,
    stale,
    isOutdated: (values) => splitsIn(values, questions).length > 0,
    valuesOf: ({ record_id, version: no, values }) => {
      const image = earlier.gold.get(record_id)
      return current(image?.version === no ? restored(values, image.values, names) : values, values)
    },
  })
  await relabelTests(db, {
    ...of,
    seqs,
    questions,
    tolerance,
    valuesOf: ({ id, version: no, values }) => {
      const image = earlier.tests.get(id)
      return current(image?.version === no ? restored(values, image.values, names) : values, values)
    },
  })
  const settingsOf = new Map(questions.map(({ no, settings }) => [no, settings]))
  const suggestions = await relabelSuggestions(db, {
    ...of,
    seqs,
    questions,
    relabeledValue: ({ id, question_no, value, updated_at }) => {
      const image = earlier.suggestions.get(id)
      const isRestored = image?.updated_at === updated_at && touched.some(({ no }) => no === question_no)
      const settings = settingsOf.get(question_no)
      const start: AnswerValue = image !== undefined && isRestored ? image.value : value
      const after = settings === undefined ? start : currentAnswerValue(start, settings)
      if (jsonEquals(after, value)) return { value }
      return image !== undefined && isRestored && after === image.value ? { value: after, score: image.score } : { value: after }
    },
    relabel: (value, { settings }) => currentAnswerValue(value, settings),
  })
  return {
    answers: answers + submitted.size,
    due: due.size,
    suggestions,
    gold,
    kept: keptRecords.length,
    kept_records: [...new Set(keptRecords)],
  }
}
