/**
 * Answers that each choose one label from a fixed list. They are stored in columns: in answer `i`, `annotators[i]` gives the
 * label `labels[i]` to `items[i]`. All three values are indexes from 0. Every item has at least one answer. An annotator may
 * answer the same item several times.
 */
export type CategoricalAnswers = {
  readonly items: Int32Array
  readonly annotators: Int32Array
  readonly labels: Int32Array
  readonly itemCount: number
  readonly annotatorCount: number
  readonly labelCount: number
}

/**
 * The same answers, sorted by item, label and annotator. The answers to item `i` are at the positions from `starts[i]` to
 * `starts[i + 1]` (exclusive). A cell is a pair of an annotator and a label: `annotator * labelCount + label`.
 */
export type SortedAnswers = {
  readonly starts: Int32Array
  /** The cell of each answer. */
  readonly cells: Int32Array
  /** The label of each answer. */
  readonly labels: Int32Array
  /** Number of answers in each cell. */
  readonly cellCounts: Float64Array
  /** Number of answers of each annotator. */
  readonly annotatorCounts: Float64Array
  readonly itemCount: number
  readonly annotatorCount: number
  readonly labelCount: number
}

/** Maximum length of an array of float64 numbers. An array of this length takes 1 GiB. */
export const MAX_NUMBERS = 2 ** 27

/**
 * Limits the memory of an array.
 * @param what describes the array in the error
 * @param numbers the number of elements
 * @throws RangeError if there are more than `MAX_NUMBERS` elements
 */
export const checkSize = (what: string, numbers: number): void => {
  if (numbers <= MAX_NUMBERS) return
  throw new RangeError(`${what} are ${numbers} numbers. The maximum is ${MAX_NUMBERS}.`)
}

const checkIndexes = (what: string, indexes: Int32Array, count: number): void => {
  for (let i = 0; i < indexes.length; i += 1)
    if (indexes[i]! < 0 || indexes[i]! >= count)
      throw new RangeError(`Answer ${i} has the ${what} ${indexes[i]}, which is not from 0 to ${count - 1}.`)
}

const check = (answers: CategoricalAnswers): void => {
  const { items, annotators, labels, itemCount, annotatorCount, labelCount } = answers
  if (annotators.length !== items.length || labels.length !== items.length)
    throw new RangeError(
      `The columns differ in length: ${items.length} items, ${annotators.length} annotators, ${labels.length} labels.`,
    )
  checkIndexes('item', items, itemCount)
  checkIndexes('annotator', annotators, annotatorCount)
  checkIndexes('label', labels, labelCount)
  checkSize(`${itemCount} items × ${labelCount} labels`, itemCount * labelCount)
  checkSize(`${annotatorCount} annotators × ${labelCount} labels`, annotatorCount * labelCount)
}

/** The position at which each key starts when the keys are sorted. The last entry is the number of keys. */
const startsOf = (keys: Int32Array, count: number): Int32Array => {
  const starts = new Int32Array(count + 1)
  for (const key of keys) starts[key + 1]! += 1
  for (let key = 0; key < count; key += 1) starts[key + 1]! += starts[key]!
  return starts
}

/** Returns the positions, sorted by key in ascending order. Positions with equal keys keep their order in `positions`. */
const sorted = (keys: Int32Array, count: number, positions: Int32Array): Int32Array => {
  const next = startsOf(keys, count)
  const order = new Int32Array(keys.length)
  for (const position of positions) {
    const key = keys[position]!
    order[next[key]!] = position
    next[key]! += 1
  }
  return order
}

/**
 * Checks and sorts answers. Sums are therefore always computed in the same order, and the result is the same to the last digit
 * for any order of the answers.
 */
export const sortAnswers = (answers: CategoricalAnswers): SortedAnswers => {
  check(answers)
  const { items, annotators, labels, itemCount, annotatorCount, labelCount } = answers
  const cellCounts = new Float64Array(annotatorCount * labelCount)
  const annotatorCounts = new Float64Array(annotatorCount)
  const positions = Int32Array.from(items, (_, i) => i)
  const order = sorted(items, itemCount, sorted(labels, labelCount, sorted(annotators, annotatorCount, positions)))
  const starts = startsOf(items, itemCount)
  for (let item = 0; item < itemCount; item += 1)
    if (starts[item] === starts[item + 1]) throw new RangeError(`Item ${item} has no answers.`)
  const cells = order.map((i) => annotators[i]! * labelCount + labels[i]!)
  for (const cell of cells) cellCounts[cell]! += 1
  for (const annotator of annotators) annotatorCounts[annotator]! += 1
  return {
    starts,
    cells,
    labels: order.map((i) => labels[i]!),
    cellCounts,
    annotatorCounts,
    itemCount,
    annotatorCount,
    labelCount,
  }
}
