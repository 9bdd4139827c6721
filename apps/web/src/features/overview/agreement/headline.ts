import type { MeasureName, QuestionAgreement, UndefinedReason } from '@postil/contract/agreement.ts'
import type { QuestionInsights } from '@postil/contract/insights.ts'
import type { Question } from '@postil/contract/questions.ts'
import { formatShare } from '../parts/format.ts'

/** Whether the units of a question's agreement are turns of conversations instead of records. */
export const comparesTurns = (question: Pick<Question, 'settings'> | undefined): boolean =>
  question !== undefined && 'unit' in question.settings

type Headline = {
  readonly measure: MeasureName
  readonly value: number | null
  readonly reason: UndefinedReason | null
}

/** The main coefficient. Text questions have no main coefficient, so their first secondary coefficient is used. */
export const headlineOf = ({ measure, value, reason, secondary }: QuestionAgreement): Headline => {
  const [first] = secondary
  if (measure === null && first) return first
  return { measure: measure ?? 'percent_agreement', value, reason }
}

/** If more than this fraction of the answers have the same value, alpha is low even if people nearly always agree. */
const skewed = 0.9

export type Skew = { readonly measure: MeasureName; readonly value: number; readonly share: string }

/** Returns Gwet's coefficient if nearly all answers have the same value, otherwise null. */
export const skewOf = (found: QuestionAgreement, counts: QuestionInsights | undefined): Skew | null => {
  const gwet = found.secondary.find(({ measure }) => measure === 'gwet_ac1' || measure === 'gwet_ac2')
  const most = Math.max(0, ...(counts?.values ?? []).map(({ count }) => count))
  if (!gwet || gwet.value === null || !counts || most <= skewed * counts.answers) return null
  return { measure: gwet.measure, value: gwet.value, share: formatShare(most, counts.answers) }
}

/** The lower end of the scale of all interval bars: 0, or less if a value is negative. */
export const spanOf = (all: readonly QuestionAgreement[]): number => {
  const lowest = Math.min(0, ...all.flatMap(({ value, interval }) => [value ?? 0, interval?.[0] ?? 0]))
  return Math.max(-1, Math.floor(lowest * 4) / 4)
}
