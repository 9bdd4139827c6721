import type { Draft } from '#lib/drafts/draft.ts'
import type { BaseVersion, Mutation } from '#lib/outbox/types.ts'

/** The version that edits were based on. Undefined if there are no edits or if that version isn't confirmed yet. */
const versionOf = (draft: Draft | null): BaseVersion | undefined =>
  typeof draft?.base_version === 'string' ? undefined : draft?.base_version

/**
 * Tracks the answer version on which the edits of each record are based. If the answer is changed elsewhere, the edits keep their
 * original base version, so that the server reports a conflict. An unconfirmed answer from this device can't have been changed
 * elsewhere.
 * @param lastEntry the last change to an answer that the server has not confirmed
 */
export const createOrigins = (lastEntry: (recordId: string) => Mutation | null) => {
  /**
   * For each record whose answer was changed elsewhere after the user began to edit it: the version of the answer on which the
   * user's edits are based.
   */
  const stale = new Map<string, BaseVersion>()
  /** Unconfirmed changes that forms are based on. */
  const unconfirmedOrigins = new Map<string, string>()

  const noteUnconfirmed = (recordId: string): void => {
    const entry = lastEntry(recordId)
    if (entry) unconfirmedOrigins.set(recordId, entry.mutation_id)
  }

  return {
    /** Called when a form is opened with a record and its stored edits. */
    open: (recordId: string, draft: Draft | null, serverVersion: BaseVersion): void => {
      const version = versionOf(draft)
      if (version !== undefined && version !== serverVersion) stale.set(recordId, version)
      noteUnconfirmed(recordId)
    },
    /** Called when the user gives an answer. Later edits of the record are based on this answer. */
    given: (recordId: string): void => {
      stale.delete(recordId)
      noteUnconfirmed(recordId)
    },
    /** Called when an answer that was given elsewhere replaces an answer with unsaved edits. */
    overtaken: (recordId: string, draft: Draft | null, before: BaseVersion): void => {
      if (!stale.has(recordId) && versionOf(draft) !== undefined) stale.set(recordId, before)
    },
    /**
     * Returns the version from which the user edited an answer: an earlier version if the answer was changed elsewhere since
     * then, otherwise `serverVersion`.
     */
    ofAnswer: (recordId: string, serverVersion: BaseVersion): BaseVersion =>
      stale.has(recordId) ? (stale.get(recordId) ?? null) : serverVersion,
    /** Returns the base version to store with edits. */
    ofEdits: (recordId: string, serverVersion: BaseVersion): Draft['base_version'] => {
      if (stale.has(recordId)) return stale.get(recordId) ?? null
      const unconfirmed = lastEntry(recordId)?.mutation_id
      return unconfirmed !== undefined && unconfirmed === unconfirmedOrigins.get(recordId) ? unconfirmed : serverVersion
    },
  }
}
