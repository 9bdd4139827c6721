/**
 * Measures how long it takes to compute the true labels from 1,000,000 answers with 8 labels, with each rule.
 *
 * npx node bench/measure/aggregation.ts [--answers 1000000] [--annotators 20] [--labels 8]
 *
 * Prints a table, then the same figures as one line of JSON. Exits with 1 if a rule takes 30 seconds or more of processor time.
 * Processor time is used because other running programs affect it less than they affect the duration.
 */
import { parseArgs } from 'node:util'
import type { CategoricalAnswers } from '../../apps/server/src/features/gold/aggregation/answers.ts'
import { dawidSkene } from '../../apps/server/src/features/gold/aggregation/dawid-skene.ts'
import { mace } from '../../apps/server/src/features/gold/aggregation/mace.ts'
import { likeliestLabels } from '../../apps/server/src/features/gold/aggregation/posterior.ts'
import { randomFrom } from '../../apps/server/src/platform/random.ts'

const { values } = parseArgs({
  options: {
    answers: { type: 'string', default: '1000000' },
    annotators: { type: 'string', default: '20' },
    labels: { type: 'string', default: '8' },
  },
})
const [count, annotatorCount, labelCount] = [values.answers, values.annotators, values.labels].map(Number) as [
  number,
  number,
  number,
]
const AIM = 30
/** Answers to each item. */
const OVERLAP = 3

const random = randomFrom(1)
const below = (limit: number): number => Math.floor(random() * limit)

/**
 * Annotator k answers correctly with a probability from 0.45 to 0.95, and otherwise at random. The last annotator always guesses.
 */
const accuracies = Array.from({ length: annotatorCount }, (_, k) =>
  k === annotatorCount - 1 ? 0 : 0.45 + (0.5 * k) / annotatorCount,
)
const truth = Int32Array.from({ length: Math.ceil(count / OVERLAP) }, () => below(labelCount))
const items = Int32Array.from({ length: count }, (_, i) => Math.floor(i / OVERLAP))
const annotators = Int32Array.from(items, (item, i) => (item * 7 + (i % OVERLAP) * 3) % annotatorCount)
const labels = Int32Array.from(items, (item, i) => (random() < accuracies[annotators[i]!]! ? truth[item]! : below(labelCount)))
const answers: CategoricalAnswers = { items, annotators, labels, itemCount: truth.length, annotatorCount, labelCount }

const lines = Object.entries({ dawid_skene: dawidSkene, mace }).map(([rule, aggregate]) => {
  const started = performance.now()
  const before = process.cpuUsage()
  const { posterior, rounds } = aggregate(answers)
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(before)
  const found = likeliestLabels(posterior, labelCount)
  const right = found.reduce((sum, label, item) => sum + (label === truth[item] ? 1 : 0), 0)
  const ties = found.reduce((sum, label) => sum + (label === -1 ? 1 : 0), 0)
  return { rule, seconds, processor_seconds: (user + system) / 1e6, rounds, right: right / found.length, ties }
})
console.table(lines)
console.log(JSON.stringify({ answers: count, annotators: annotatorCount, labels: labelCount, aim: `< ${AIM} s`, lines }))
if (lines.some(({ processor_seconds }) => processor_seconds >= AIM)) process.exitCode = 1
