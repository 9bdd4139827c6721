import { dropUnsavedFormsOfOthers } from './unsaved-forms.ts'
import { dropVisitedOfOthers } from './visited-records.ts'

/**
 * Drops what this tab has stored for all other users, after a sign-in or sign-out.
 * @param userId the signed-in user, or null after a sign-out
 */
export const dropTabDataOfOthers = (userId: string | null): void => {
  dropUnsavedFormsOfOthers(userId)
  dropVisitedOfOthers(userId)
}
