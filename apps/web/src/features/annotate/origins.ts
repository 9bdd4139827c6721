import type { Draft } from '#lib/drafts/draft.ts'
import type { Base, Entry } from '#lib/outbox/types.ts'

/** The version that edits were made from; undefined without any, and where it was not confirmed then. */
const versionOf = (draft: Draft | null): Base | undefined =>
  typeof draft?.base_version === 'string' ? undefined : draft?.base_version

/**
 * Which answers the edits of records were made from. Edits of an answer that was changed elsewhere meanwhile are built upon the one that they
 * were made from: the server then shows both. What was given on this device, and was not confirmed yet, nobody has changed elsewhere.
 * @param lastEntry the last change of an answer that the server has not confirmed
 */
export const createOrigins = (lastEntry: (recordId: string) => Entry | null) => {
  /** Versions that edits were made from, where the record has another answer meanwhile. */
  const stale = new Map<string, Base>()
  /** Unconfirmed changes that forms were made from. */
  const upon = new Map<string, string>()

  const begin = (recordId: string): void => {
    const entry = lastEntry(recordId)
    if (entry) upon.set(recordId, entry.mutation_id)
  }

  return {
    /** A form is made of a record, and of the edits that were kept of it. */
    open: (recordId: string, draft: Draft | null, standing: Base): void => {
      const version = versionOf(draft)
      if (version !== undefined && version !== standing) stale.set(recordId, version)
      begin(recordId)
    },
    /** An answer is given, which ends the edits that it was made of. */
    given: (recordId: string): void => {
      stale.delete(recordId)
      begin(recordId)
    },
    /** An answer of somewhere else takes the place of one of which there are edits. */
    overtaken: (recordId: string, draft: Draft | null, before: Base): void => {
      if (!stale.has(recordId) && versionOf(draft) !== undefined) stale.set(recordId, before)
    },
    /** What an answer is built upon, where this one stands. */
    ofAnswer: (recordId: string, standing: Base): Base => (stale.has(recordId) ? (stale.get(recordId) ?? null) : standing),
    /** What edits are kept with. */
    ofEdits: (recordId: string, standing: Base): Draft['base_version'] => {
      if (stale.has(recordId)) return stale.get(recordId) ?? null
      const unconfirmed = lastEntry(recordId)?.mutation_id
      return unconfirmed !== undefined && unconfirmed === upon.get(recordId) ? unconfirmed : standing
    },
  }
}
