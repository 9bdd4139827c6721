import { type LabelColour, labelsOf, type QuestionColours, type QuestionColoursUpdate } from '@postil/contract/label-colours.ts'
import type { LabelsSnapshot } from '@postil/contract/schema-versions.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { pick, questionRows } from './rows.ts'
import { lockedDatasetOf, readableDataset } from './scope.ts'

export const labelColours = async (db: Db, datasetId: string): Promise<QuestionColours[]> => {
  const rows = await db.sql
    .selectFrom('questions')
    .select(['id', 'colours'])
    .where('dataset_id', '=', datasetId)
    .where('colours', 'is not', null)
    .orderBy('no')
    .execute()
  return rows.map(({ id, colours }) => ({ question_id: id, colours: colours ?? [] }))
}

/** @throws Problem not_found, forbidden */
export const listLabelColours = query(
  'label-colours.list',
  async (db, { user, dataset_id }: { user: Actor; dataset_id: string }): Promise<QuestionColours[]> => {
    await readableDataset(db, dataset_id, user)
    return labelColours(db, dataset_id)
  },
)

/** Returns at most one color per label, in label order. */
const inOrder = (labels: readonly string[], colours: readonly LabelColour[]): LabelColour[] => {
  const hues = new Map(colours.map(({ value, hue }) => [value, hue]))
  return labels.flatMap((value) => {
    const hue = hues.get(value)
    return hue === undefined ? [] : [{ value, hue }]
  })
}

const storeColours = (db: Db, id: string, chosen: LabelColour[]) =>
  db.sql
    .updateTable('questions')
    .set({ colours: chosen.length === 0 ? null : json(chosen) })
    .where('id', '=', id)
    .execute()

/**
 * Copies colors from another server, inside another feature's command. Colors have no timestamp, so the other server's colors
 * replace the existing ones for every question that has colors there.
 */
export const adoptColours = async (db: Db, datasetId: string, all: readonly QuestionColours[]): Promise<void> => {
  if (all.length === 0) return
  const questions = await questionRows(db, datasetId)
  for (const { question_id, colours } of all) {
    const labels = labelsOf(questions.find(({ id }) => id === question_id)?.settings)
    const chosen = inOrder(labels ?? [], colours)
    if (chosen.length > 0) await storeColours(db, question_id, chosen)
  }
}

/**
 * Adapts a question's colors to its new labels.
 * @param renamed the earlier value of each renamed label. The label gets the color of this value
 */
export const carryColours = async (
  db: Db,
  questionId: string,
  { options }: LabelsSnapshot,
  renamed: ReadonlyMap<string, string> = new Map(),
): Promise<void> => {
  const { colours } = await db.sql
    .selectFrom('questions')
    .select('colours')
    .where('id', '=', questionId)
    .executeTakeFirstOrThrow()
  if (colours === null) return
  const hues = new Map(colours.map(({ value, hue }) => [value, hue]))
  const carried = options.flatMap(({ value }) => {
    const hue = hues.get(value) ?? hues.get(renamed.get(value) ?? '')
    return hue === undefined ? [] : [{ value, hue }]
  })
  await storeColours(db, questionId, carried)
}

type Update = { readonly user: Actor; readonly id: string; readonly body: QuestionColoursUpdate }

/**
 * Replaces the custom colors of a question's labels. The API doesn't return them as part of the question.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const updateLabelColours = command(
  'label-colours.update',
  async (db, { user, id, body: { colours } }: Update): Promise<QuestionColours> => {
    const dataset = await lockedDatasetOf(db, 'questions', id, user)
    const labels = labelsOf(pick(await questionRows(db, dataset.id), id).settings)
    if (labels === null) throw unprocessable('The question has no labels, and only labels can have colors')
    const known = new Set(labels)
    const unknown = colours.find(({ value }) => !known.has(value))
    if (unknown) throw unprocessable(`\`${unknown.value}\` is not a label of the question`)
    const chosen = inOrder(labels, colours)
    await storeColours(db, id, chosen)
    return { question_id: id, colours: chosen }
  },
)
