import { minComparedAnswers, type SuggestionInfluence } from '@postil/contract/insights.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import type { SuggestionView } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { differenceOfShares } from '#platform/wilson.ts'

type Counts = { answers: number; equal: number }
type Compared = { readonly shown: Counts; readonly blind: Counts }

const none = (): Compared => ({ shown: { answers: 0, equal: 0 }, blind: { answers: 0, equal: 0 } })

type Given = {
  readonly user_id: string
  readonly suggestion_view: SuggestionView | null
  readonly suggestion_outcomes: SuggestionOutcomes | null
  readonly updated_at: Micros
}

const difference = ({ shown, blind }: Compared): SuggestionInfluence['difference'] =>
  Math.min(shown.answers, blind.answers) < minComparedAnswers
    ? null
    : differenceOfShares({ successes: shown.equal, trials: shown.answers }, { successes: blind.equal, trials: blind.answers })

const print = (counts: Compared) => ({ ...counts, difference: difference(counts) })

/** Compares two groups of answers: those whose authors saw a suggestion, and those to records of the blind share. */
export class InfluenceCounts {
  readonly #byQuestion = new Map<QuestionRow, Map<string, Compared>>()

  /**
   * Adds a submitted answer to a question with a suggestion to one of two groups: `shown` or `blind`. An answer that is older
   * than the suggestion is in neither group. An answer is in `shown` only if the client reported an outcome. Otherwise, nobody
   * knows whether the author saw the suggestion.
   */
  add(
    question: QuestionRow,
    { user_id, suggestion_view, suggestion_outcomes, updated_at }: Given,
    { isEqual, suggestedAt }: { readonly isEqual: boolean; readonly suggestedAt: Micros },
  ): void {
    const isShown = suggestion_view === null && suggestion_outcomes !== null && Object.hasOwn(suggestion_outcomes, question.name)
    if (suggestedAt > updated_at || !(isShown || suggestion_view === 'blind')) return
    const byUser = this.#byQuestion.get(question) ?? new Map<string, Compared>()
    this.#byQuestion.set(question, byUser)
    const counts = byUser.get(user_id) ?? none()
    byUser.set(user_id, counts)
    const group = isShown ? counts.shown : counts.blind
    group.answers += 1
    if (isEqual) group.equal += 1
  }

  /**
   * The questions with at least one blind answer, which is an answer whose author wasn't shown the suggestion. In the order of
   * `questions`.
   */
  print(questions: readonly QuestionRow[]): SuggestionInfluence[] {
    return questions.flatMap((question) => {
      const people = [...(this.#byQuestion.get(question) ?? [])].filter(([, { blind }]) => blind.answers > 0)
      if (people.length === 0) return []
      const all = none()
      for (const [, { shown, blind }] of people) {
        for (const [sum, part] of [
          [all.shown, shown],
          [all.blind, blind],
        ] as const) {
          sum.answers += part.answers
          sum.equal += part.equal
        }
      }
      const ofPeople = people.map(([user_id, counts]) => ({ user_id, ...print(counts) }))
      return [
        {
          question_id: question.id,
          name: question.name,
          ...print(all),
          people: ofPeople.sort((a, b) => b.blind.answers - a.blind.answers || (a.user_id < b.user_id ? -1 : 1)),
        },
      ]
    })
  }
}
