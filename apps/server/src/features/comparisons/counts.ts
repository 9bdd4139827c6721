import { comparedFields, type Shown } from '@postil/contract/comparison-sides.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'

export type Comparison = {
  readonly id: string
  readonly name: string
  readonly settings: SettingsOf<'comparison'>
}

/** Results between two models, from the point of view of the model whose name comes first alphabetically. */
type Duels = { wins: number; losses: number; ties: number }

/** The counts of the submitted answers to a comparison question. */
export class ComparisonCounts {
  readonly question: Comparison
  answers = 0
  /** How often each compared field was preferred, in the order of `comparedFields`. */
  readonly preferred: [number, number] = [0, 0]
  ties = 0
  bothBad = 0
  readonly sides = { answers: 0, first: 0 }
  /** The key is the JSON of both names. */
  readonly duels = new Map<string, Duels>()
  leftOut = 0

  constructor(question: Comparison) {
    this.question = question
  }

  /**
   * Counts a submitted answer.
   * @param models the models of the compared fields, in the order of `comparedFields`; null for a field whose model is unknown
   */
  add(value: unknown, shown: Shown | null, models: readonly [string | null, string | null]): void {
    const { compare } = this.question.settings
    if (typeof value !== 'string') return
    const field = Object.hasOwn(compare.options, value) ? compare.options[value] : undefined
    const isEqual = value === compare.ties || value === compare.both_bad
    if (field === undefined && !isEqual) return
    this.answers += 1
    const [first] = comparedFields(compare)
    if (field !== undefined) {
      this.preferred[field === first ? 0 : 1] += 1
      const order = shown && Object.hasOwn(shown, this.question.name) ? shown[this.question.name] : undefined
      if (order !== undefined) {
        this.sides.answers += 1
        if (order[0] === field) this.sides.first += 1
      }
    } else if (value === compare.ties) this.ties += 1
    else this.bothBad += 1
    this.#addDuel(models, field === undefined ? null : field === first)
  }

  /** @param firstWon null for a tie */
  #addDuel([one, other]: readonly [string | null, string | null], firstWon: boolean | null): void {
    if (one === null || other === null || one === other) {
      this.leftOut += 1
      return
    }
    const isSorted = one < other
    const key = JSON.stringify(isSorted ? [one, other] : [other, one])
    const duels = this.duels.get(key) ?? { wins: 0, losses: 0, ties: 0 }
    this.duels.set(key, duels)
    if (firstWon === null) duels.ties += 1
    else if (firstWon === isSorted) duels.wins += 1
    else duels.losses += 1
  }
}
