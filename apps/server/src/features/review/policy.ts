import { type Actor, isAdminOf, isOwner, type Membership } from '#platform/auth/actor.ts'

/** `reviewers`: the annotators who are allowed to review. */
type Scope = Membership & { readonly reviewers: readonly string[] }

const isLead = (u: Actor, s: Membership): boolean => isOwner(u) || isAdminOf(u, s)

export const reviewPolicy = {
  settings: (u: Actor, s: Membership) => isOwner(u) || s.member,
  setSettings: isLead,
  /** Whether the user can compare their own answers with the final answers. */
  corrections: (u: Actor, s: Membership) => isOwner(u) || s.member,
  seeReviewers: isLead,
  /** Whether the user can see the rules and results of test items. Annotators must not know which records are test items. */
  seeChecks: isLead,
  /** Whether the user can let a person continue after test items have stopped that person. */
  letContinue: isLead,
  review: (u: Actor, s: Scope) => isLead(u, s) || (s.member && s.reviewers.includes(u.id)),
  /**
   * Whether the user can review records that they have answered, regardless of the settings. Even so, the review queue doesn't
   * contain these records.
   */
  reviewOwn: isLead,
  /** Whether the user can store the final answers of many records by applying a rule. */
  fill: (u: Actor, s: Membership) => isLead(u, s) && u.is_agent !== true,
  /** Whether the user can return or discard the answers to many records. */
  changeAnswers: isLead,
  /** Whether the user always sees who gave which answer. */
  seeNames: isLead,
}
