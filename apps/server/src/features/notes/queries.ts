import { maxNotes } from '@postil/contract/notes.ts'
import { takesNotes } from '@postil/contract/question-types/takes-notes.ts'
import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { type RawBuilder, sql } from 'kysely'
import { datasetFor } from '#features/datasets/public.ts'
import { type QuestionRow, questionRows, vectorSettingsRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { toUnit, viewVector } from '#platform/db/vectors/vector-values.ts'
import type { Note } from './group.ts'
import type { RecordVectors } from './group-by-vectors.ts'
import { notePolicy } from './policy.ts'

export type NoteArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly question: string
  /** The name of the vector setting whose vectors are used to group the notes; null to group them by their words. */
  readonly vector: string | null
}

const RECORDS_AT_ONCE = 5000
const VECTORS_AT_ONCE = 500
/** The maximum number of notes that are grouped by vectors. Limits the memory and the time. */
const MAX_WITH_VECTORS = 10_000
/** How much of a note is compared and shown, in UTF-16 units. */
const MAX_LENGTH = 500

/**
 * Returns the dataset, its questions, its vector settings, and the vector settings chosen for grouping. @throws Problem
 * not_found, forbidden, unprocessable
 */
const datasetWithNotes = async (db: Db, { user, dataset_id, question, vector }: NoteArgs) => {
  const dataset = await datasetFor(db, dataset_id, user)
  if (!notePolicy.see(user, dataset)) throw forbidden()
  const questions = await questionRows(db, dataset.id)
  const found = questions.find(({ name }) => name === question)
  if (found === undefined) throw notFound('Question', question)
  if (!takesNotes(found.settings)) throw unprocessable(message('noNotes', { name: question }))
  const vectors = await vectorSettingsRows(db, dataset.id)
  const chosen = vectors.find(({ name }) => name === vector) ?? null
  if (vector !== null && chosen === null) throw notFound('Vector settings', vector)
  return { dataset, questions, vectors, chosen }
}

/**
 * Checks that the caller may read the notes. @returns all questions and vector settings. @throws Problem not_found, forbidden,
 * unprocessable
 */
export const notesDataset = query(
  'notes.dataset',
  async (
    db,
    args: NoteArgs,
  ): Promise<{
    readonly questions: readonly QuestionRow[]
    readonly vectors: readonly { readonly name: string; readonly title: string }[]
  }> => {
    const { questions, vectors } = await datasetWithNotes(db, args)
    return { questions, vectors: vectors.map(({ name, title }) => ({ name, title })) }
  },
)

export type ReadNotes = {
  readonly notes: readonly Note[]
  /** The vectors of the records with notes; null if the notes are grouped by their words. */
  readonly vectors: RecordVectors | null
  /**
   * The number of records with a submitted answer. If `limited` is true, counts only the records up to the last note that was
   * read.
   */
  readonly answered: number
  /** Whether the dataset has more notes than were read. */
  readonly limited: boolean
}

/**
 * Matches answers that may contain a value for the question `name`. Searches the JSON for this key, so it also matches if the key
 * occurs inside a value.
 */
const mayContain = (name: string): RawBuilder<boolean> =>
  sql<boolean>`"values" like ${`%${JSON.stringify(name).replace(/[!%_]/gu, '!$&')}:%`} escape '!'`

/** Reads the vectors of records, scaled to the length 1. */
const readVectors = async (
  db: Db,
  datasetNo: number,
  { no, name, dimensions }: { readonly no: number; readonly name: string; readonly dimensions: number },
  seqs: readonly number[],
): Promise<RecordVectors> => {
  const found: number[] = []
  const numbers = new Float32Array(seqs.length * dimensions)
  for (let from = 0; from < seqs.length; from += VECTORS_AT_ONCE) {
    const rows = await db.sql
      .selectFrom('vectors')
      .select(['seq', 'raw'])
      .where('dataset_no', '=', datasetNo)
      .where('setting_no', '=', no)
      .where('seq', 'in', db.dialect.listed(seqs.slice(from, from + VECTORS_AT_ONCE)))
      .execute()
    for (const { seq, raw } of rows) {
      numbers.set(toUnit(viewVector(raw)), found.length * dimensions)
      found.push(seq)
    }
    await db.dialect.flush()
  }
  return { name, dimensions, seqs: found, numbers }
}

/** Reads the submitted notes, in record order. @throws Problem not_found, forbidden, unprocessable */
export const readNotes = query('notes.read', async (db, args: NoteArgs): Promise<ReadNotes> => {
  const { dataset, chosen } = await datasetWithNotes(db, args)
  const most = chosen === null ? maxNotes : MAX_WITH_VECTORS
  const last = await db.sql
    .selectFrom('records')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('dataset_no', '=', dataset.no)
    .executeTakeFirst()
  const notes: Note[] = []
  let limited = false
  let to = last?.seq ?? -1
  for (let from = 0; from <= to && !limited; from += RECORDS_AT_ONCE) {
    const rows = await db.sql
      .selectFrom('responses')
      .select(['seq', 'values'])
      .where('dataset_no', '=', dataset.no)
      .where('seq', '>=', from)
      .where('seq', '<', from + RECORDS_AT_ONCE)
      .where('status', '=', 'submitted')
      .where(mayContain(args.question))
      .orderBy('seq')
      .limit(most + 1)
      .execute()
    for (const { seq, values } of rows) {
      const value = Object.hasOwn(values, args.question) ? values[args.question]?.value : undefined
      if (typeof value !== 'string' || value.trim() === '') continue
      if (notes.length === most) {
        limited = true
        to = notes.at(-1)?.seq ?? to
        break
      }
      notes.push({ seq, text: value.slice(0, MAX_LENGTH) })
    }
    await db.dialect.flush()
  }
  const { n } = await db.sql
    .selectFrom('records')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('dataset_no', '=', dataset.no)
    .where('seq', '<=', to)
    .where('submitted', '>', 0)
    .executeTakeFirstOrThrow()
  const seqs = [...new Set(notes.map(({ seq }) => seq))]
  const vectors = chosen === null ? null : await readVectors(db, dataset.no, chosen, seqs)
  return { notes, vectors, answered: Number(n), limited }
})

/** Returns the IDs of records, keyed by `seq`. @throws Problem not_found, forbidden, unprocessable */
export const noteRecords = query(
  'notes.records',
  async (db, { seqs, ...args }: NoteArgs & { readonly seqs: readonly number[] }): Promise<ReadonlyMap<number, string>> => {
    const { dataset } = await datasetWithNotes(db, args)
    if (seqs.length === 0) return new Map()
    const rows = await db.sql
      .selectFrom('records')
      .select(['seq', 'id'])
      .where('dataset_no', '=', dataset.no)
      .where('seq', 'in', db.dialect.listed(seqs))
      .execute()
    return new Map(rows.map(({ seq, id }) => [seq, id]))
  },
)
