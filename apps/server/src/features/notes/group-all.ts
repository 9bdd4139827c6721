import { type Group, groupNotes, type Note } from './group.ts'
import { groupByVectors, type RecordVectors } from './group-by-vectors.ts'

/** The notes to group, and their vectors. If `vectors` is null, the notes are grouped by their words. */
export type NotesToGroup = { readonly notes: readonly Note[]; readonly vectors: RecordVectors | null }

export const groupAll = ({ notes, vectors }: NotesToGroup): readonly Group[] =>
  vectors === null ? groupNotes(notes) : groupByVectors(notes, vectors)
