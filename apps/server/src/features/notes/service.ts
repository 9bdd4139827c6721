import type { Job } from '@postil/contract/jobs.ts'
import type { LabelNotes, listNoteGroups, NoteGroups } from '@postil/contract/notes.ts'
import { checkAnswerValue, type QuestionSettings } from '@postil/contract/question-types/index.ts'
import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import type { QueryOf } from '@postil/contract/wire/endpoint.ts'
import { notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { LRUCache } from 'lru-cache'
import { startLabeling } from '#features/bulk-answers/public.ts'
import { labelSettings, type QuestionRow } from '#features/schema/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import type { UserShares } from '#platform/shares.ts'
import { tokenize } from '#platform/text/tokens.ts'
import { wilsonInterval } from '#platform/wilson.ts'
import type { Group } from './group.ts'
import { groupInThread } from './group-in-thread.ts'
import * as queries from './queries.ts'

type Ctx = { readonly store: Store } & UserShares

type Grouped = Pick<queries.ReadNotes, 'answered' | 'limited'> & {
  readonly groups: readonly Group[]
  readonly notes: number
  readonly records: number
}

/**
 * How long a result is cached, in milliseconds. Requests for other pages of the list, or for a search in it, reuse the result.
 */
const REUSE_MS = 10_000
/** Maximum number of results that a process keeps. Each can contain all notes of a dataset. */
const MAX_RESULTS = 4
const resultsOf = new WeakMap<Store, LRUCache<string, Promise<Grouped>>>()

const read = async (ctx: Ctx, user: Actor, args: queries.NoteArgs): Promise<Grouped> => {
  const release = await ctx.slowSearches.take(user.id)
  try {
    const { notes, vectors, ...found } = await ctx.store.read(queries.readNotes, args, { lane: 'slow' })
    const records = new Set(notes.map(({ seq }) => seq)).size
    return { ...found, notes: notes.length, records, groups: await groupInThread({ notes, vectors }) }
  } finally {
    release()
  }
}

/** Returns the groups from the cache, or reads and groups the notes. The caller must have checked that the user may read them. */
const groupsOf = async (ctx: Ctx, user: Actor, args: queries.NoteArgs): Promise<Grouped> => {
  const results = resultsOf.get(ctx.store) ?? new LRUCache({ max: MAX_RESULTS, ttl: REUSE_MS })
  resultsOf.set(ctx.store, results)
  const key = JSON.stringify([args.dataset_id, args.question, args.vector])
  const known = results.get(key)
  if (known !== undefined) return known
  const result = read(ctx, user, args)
  results.set(key, result)
  result.catch(() => results.delete(key))
  return result
}

/** Returns a function that checks whether a group's notes contain all words of the text. The beginning of a word is enough. */
const matcherOf = (text: string): ((group: Group) => boolean) => {
  const wanted = tokenize(text)
  return ({ words }) => wanted.every((beginning) => words.some((word) => word.startsWith(beginning)))
}

/** The value of an answer with one label: the label, or a list with only this label. Null if answers can't contain the label. */
const answerWith = (settings: QuestionSettings, value: string): string | readonly string[] | null => {
  const labels = labelSettings(settings)
  if (labels === null || !offeredOptions(labels).some((option) => option.value === value)) return null
  const fits = (answer: string | string[]) => checkAnswerValue(answer, { settings, submitted: true, fields: {} }) === null
  return [value, [value]].find(fits) ?? null
}

/** Whether answers to a question can consist of one label. Answers to ranking and span questions contain more than labels. */
const canTakeLabel = ({ settings }: QuestionRow): boolean => {
  const labels = labelSettings(settings)
  return labels !== null && offeredOptions(labels).some(({ value }) => answerWith(settings, value) !== null)
}

/** The groups of similar notes. @throws Problem not_found, forbidden, unprocessable */
export const noteGroups = async (
  ctx: Ctx,
  user: Actor,
  dataset_id: string,
  { question, vector, text = '', offset, limit }: QueryOf<typeof listNoteGroups>,
): Promise<NoteGroups> => {
  const args = { user: actorOf(user), dataset_id, question, vector: vector ?? null }
  const { questions, vectors } = await ctx.store.read(queries.notesDataset, args)
  const { groups, ...found } = await groupsOf(ctx, user, args)
  const matching = groups.filter(matcherOf(text))
  const page = matching.slice(offset, offset + limit)
  const seqs = new Set(page.flatMap(({ examples }) => examples.map(({ seq }) => seq)))
  const ids = await ctx.store.read(queries.noteRecords, { ...args, seqs: [...seqs] })
  return {
    ...found,
    total: matching.length,
    targets: questions.filter(canTakeLabel).map(({ name }) => name),
    vectors: [...vectors],
    items: page.map((group) => {
      const records = group.seqs.length
      // Records can be deleted or answered while the notes are read, so `records` may exceed `found.answered`.
      const answered = Math.max(found.answered, records)
      return {
        key: group.key,
        text: group.text,
        notes: group.notes,
        records,
        share: { value: records / answered, ...wilsonInterval(records, answered) },
        examples: group.examples.flatMap(({ text: example, seq }) => {
          const record_id = ids.get(seq)
          return record_id === undefined ? [] : [{ text: example, record_id }]
        }),
      }
    }),
  }
}

/**
 * Starts a job that adds a label to the caller's answers. The job covers all records in the given groups of notes.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const label = async (ctx: Ctx, user: Actor, dataset_id: string, body: LabelNotes): Promise<Job> => {
  const args = { user: actorOf(user), dataset_id, question: body.question, vector: body.vector ?? null }
  const { questions } = await ctx.store.read(queries.notesDataset, args)
  const target = questions.find(({ name }) => name === body.label.question)
  if (target === undefined) throw notFound('Question', body.label.question)
  const value = answerWith(target.settings, body.label.value)
  if (value === null) throw unprocessable(message('notNoteLabel', { label: body.label.value, name: target.name }))
  const { groups } = await groupsOf(ctx, user, args)
  const byKey = new Map(groups.map((group) => [group.key, group]))
  const seqs = new Set<number>()
  for (const key of body.groups) {
    const group = byKey.get(key)
    if (group === undefined) throw unprocessable(message('noteGroupGone'))
    for (const seq of group.seqs) seqs.add(seq)
  }
  const others = questions.map(({ name }) => name).filter((name) => name !== target.name)
  return startLabeling(ctx, user, {
    dataset_id,
    seqs: [...seqs],
    label: { question: target.name, value },
    status: body.status,
    others,
  })
}
