import { createHash } from 'node:crypto'
import type { SuggestionSettings } from '@postil/contract/suggestion-settings.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { ResponseStatus, SuggestionView } from '#platform/db/tables.ts'

/** When annotators see suggestions. */
export type SuggestionRule = SuggestionSettings

const alwaysShown: SuggestionRule = { show: 'always', blind_share: 0 }

type Dataset = { readonly suggestion_rule: { readonly [key: string]: unknown } | null }

/** The suggestion settings of a dataset. */
export const suggestionRuleOf = ({ suggestion_rule }: Dataset): SuggestionRule =>
  // The command that stores the settings has validated them.
  ({ ...alwaysShown, ...(suggestion_rule as Partial<SuggestionRule> | null) })

/** The rule by which suggestions are hidden from a user. Null if the user sees all of them, as owners and admins do. */
export const hidingRuleFor = ({ role }: Pick<Actor, 'role'>, dataset: Dataset): SuggestionRule | null => {
  if (role !== 'annotator') return null
  const rule = suggestionRuleOf(dataset)
  return rule.show === 'always' && rule.blind_share === 0 ? null : rule
}

/** A record and the annotator who looks at it. */
export type Viewed = { readonly recordId: string; readonly userId: string }

/** Whether a record is in the share of records on which an annotator never sees suggestions. Depends only on the two IDs. */
export const isBlind = ({ recordId, userId }: Viewed, share: number): boolean =>
  createHash('sha256').update(`${recordId} ${userId}`).digest().readUInt32BE(0) < share * 2 ** 32

/** The parts of an annotator's answer that say whether its author has seen the suggestions. */
export type OwnAnswer = { readonly status: ResponseStatus; readonly suggestion_view: SuggestionView | null }

/** Whether the author of an answer has seen the record's suggestions, or may see them because the answer is submitted. */
const isRevealed = (own: OwnAnswer | null): boolean =>
  own !== null && (own.status === 'submitted' || own.suggestion_view === null || own.suggestion_view === 'after')

/**
 * The reason why an annotator doesn't see the suggestions of a record; null if the annotator sees them.
 * @param own the annotator's answer to the record
 */
export const hiddenReason = (rule: SuggestionRule, viewed: Viewed, own: OwnAnswer | null): 'blind' | 'hidden' | null => {
  if (rule.show === 'never') return 'hidden'
  if (isBlind(viewed, rule.blind_share)) return 'blind'
  return rule.show === 'after_answer' && !isRevealed(own) ? 'hidden' : null
}

/**
 * Returns the `suggestion_view` of a new version of an answer. Once the author has seen the suggestions, they count as seen for
 * all later versions.
 * @param before the author's stored answer to the record
 */
export const viewOfAnswer = (rule: SuggestionRule | null, viewed: Viewed, before: OwnAnswer | null): SuggestionView | null => {
  const reason = rule === null ? null : hiddenReason(rule, viewed, before)
  if (before === null) return reason
  if (before.suggestion_view === null || before.suggestion_view === 'after') return before.suggestion_view
  return reason ?? 'after'
}
