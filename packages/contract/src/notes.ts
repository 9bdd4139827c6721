import { z } from 'zod'
import { Job } from './jobs.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int, printedUuid, text } from './wire/scalars.ts'

/** `maxNotes`: the maximum number of notes that are read. `maxNoteGroups`: the maximum number of groups in one request. */
export const maxNotes = 100_000
export const maxNoteGroups = 100

export const NoteGroup = z.strictObject({
  /**
   * Identifies the group. If notes are grouped by their words, a group's key changes when its most frequent note changes. If
   * notes are grouped by the similarity of their records, a group's key changes when its records change.
   */
  key: z.string(),
  /** The most frequent note. */
  text: z.string(),
  notes: z.int(),
  records: z.int(),
  /** The group's share of the answered records, with its 95% interval. */
  share: z.strictObject({ value: z.number(), low: z.number(), high: z.number() }),
  /** Up to five different notes, the most frequent first, each with a record. */
  examples: z.array(z.strictObject({ text: z.string(), record_id: printedUuid() })),
})
export type NoteGroup = z.infer<typeof NoteGroup>

export const NoteGroups = z.strictObject({
  /** The largest groups first. */
  items: z.array(NoteGroup),
  /** The number of groups that match. */
  total: z.int(),
  /** The number of submitted notes. */
  notes: z.int(),
  /** How many records have a note. */
  records: z.int(),
  /** How many records have a submitted answer, with or without a note. */
  answered: z.int(),
  /** The names of the questions to which a label can be added. */
  targets: z.array(z.string()),
  /** The vectors by which notes can be grouped. */
  vectors: z.array(z.strictObject({ name: z.string(), title: z.string() })),
  /**
   * Whether the dataset has more notes than the server reads. If so, all numbers cover only the records up to the last note read.
   */
  limited: z.boolean(),
})
export type NoteGroups = z.infer<typeof NoteGroups>

const question = text({ min: 1, keep: false })
/**
 * The name of vector settings. Notes about records with similar vectors form a group. Without it, notes with similar words form a
 * group.
 */
const vector = text({ min: 1, keep: false })

export const listNoteGroups = defineEndpoint({
  id: 'notes.groups',
  method: 'GET',
  path: '/datasets/:dataset_id/notes',
  query: z.object({
    /** The name of a text question with `codes`. */
    question,
    vector: vector.optional(),
    /** Return only groups with a note that contains all of these words, or words that begin with them. */
    text: text({ keep: false }).optional(),
    offset: int({ ge: 0 }).default(0),
    limit: int({ ge: 1, le: maxNoteGroups }).default(50),
  }),
  result: NoteGroups,
  errors: [403, 404],
  addition: true,
  summary: 'Group similar notes of a text question, and count their records',
})

export const LabelNotes = z.object({
  /** The name of a text question with `codes`. */
  question,
  /** The `vector` parameter of the request that listed the groups. */
  vector: vector.nullish(),
  /** The keys of groups. */
  groups: z
    .array(text({ min: 1, keep: false }))
    .min(1)
    .max(maxNoteGroups),
  /**
   * The label to set in the answers to a single-label or multi-label question. In a single-label question, it replaces the
   * earlier label. In a multi-label question, it is added.
   */
  label: z.object({ question, value: text({ min: 1 }) }),
  /** The status of the answers. */
  status: z.enum(['draft', 'submitted']).default('draft'),
})
export type LabelNotes = z.infer<typeof LabelNotes>

export const labelNotes = defineEndpoint({
  id: 'notes.label',
  method: 'POST',
  path: '/me/datasets/:dataset_id/notes/label',
  body: LabelNotes,
  status: 202,
  result: Job,
  errors: [403, 404, 422],
  addition: true,
  summary: "Start a bulk answer job that adds a label to the caller's answers to the records with these notes",
})

export const noteEndpoints = [listNoteGroups, labelNotes] as const
