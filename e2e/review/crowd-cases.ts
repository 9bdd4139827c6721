import type { CategoricalAnswers } from '../../apps/server/src/features/gold/aggregation/answers.ts'
import { randomFrom } from '../../apps/server/src/platform/random.ts'

/** Random answers. Postil and the Python library crowd-kit aggregate them, and the results are compared. */

const CASES = 6
export const ROUNDS = { dawid_skene: 100, mace: 50 }
export type Rule = keyof typeof ROUNDS

/** The results of crowd-kit. `start` contains the initial values of MACE. */
export type Expected = {
  readonly rule: Rule
  readonly posterior: readonly number[]
  readonly entropy: readonly number[]
  readonly accuracy: readonly number[]
  readonly start?: { readonly knowing: readonly number[]; readonly guesses: readonly number[] }
}

/** Renumbers the distinct numbers from 0, in ascending order. Also returns their count. */
const dense = (numbers: readonly number[]): readonly [Int32Array, number] => {
  const used = [...new Set(numbers)].sort((a, b) => a - b)
  return [Int32Array.from(numbers, (one) => used.indexOf(one)), used.length]
}

/** Answers by good and bad annotators. Some annotators answer an item twice, and some items have more than twelve answers. */
const answersOf = (seed: number): CategoricalAnswers => {
  const random = randomFrom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const [itemCount, annotatorCount, labelCount] = [11 + below(20), 3 + below(8), 2 + below(5)]
  const accuracies = Array.from({ length: annotatorCount }, () => 0.3 + 0.65 * random())
  const favourites = accuracies.map(() => below(labelCount))
  const rows: { readonly item: number; readonly annotator: number; readonly label: number }[] = []
  for (let item = 0; item < itemCount; item += 1) {
    const truth = below(labelCount)
    for (let left = item % 10 === 0 ? 13 + below(8) : 1 + below(6); left > 0; left -= 1) {
      const annotator = below(annotatorCount)
      const guess = random() < 0.5 ? favourites[annotator]! : below(labelCount)
      rows.push({ item, annotator, label: random() < accuracies[annotator]! ? truth : guess })
    }
  }
  const [annotators, usedAnnotators] = dense(rows.map(({ annotator }) => annotator))
  const [labels, usedLabels] = dense(rows.map(({ label }) => label))
  const items = Int32Array.from(rows, ({ item }) => item)
  return { items, annotators, labels, itemCount, annotatorCount: usedAnnotators, labelCount: usedLabels }
}

export const answersOfCases = Array.from({ length: CASES }, (_, seed) => answersOf(seed + 1))

/** The input of `aggregation.py`: all cases with the first rule, then all with the second. */
export const scriptInput = (Object.keys(ROUNDS) as Rule[]).flatMap((rule) =>
  answersOfCases.map(({ items, annotators, labels }, seed) => {
    const columns = { items: [...items], annotators: [...annotators], labels: [...labels] }
    return { rule, rounds: ROUNDS[rule], seed, ...columns }
  }),
)
