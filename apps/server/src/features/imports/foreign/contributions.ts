import type { ForeignAnnotator } from '@postil/contract/files/foreign-formats.ts'

/** How many annotations and comments in a file are by one person. */
export type Contributions = { annotations: number; comments: number }

/** Maximum number of people whose contributions are counted. */
const MAX_PEOPLE = 10_000

export const addContribution = (people: Map<string, Contributions>, name: string, of: keyof Contributions): void => {
  const known = people.get(name) ?? { annotations: 0, comments: 0 }
  if (!people.has(name) && people.size >= MAX_PEOPLE) return
  known[of] += 1
  people.set(name, known)
}

/** The people, those with the most annotations first. */
export const printContributions = (people: ReadonlyMap<string, Contributions>): readonly ForeignAnnotator[] =>
  [...people]
    .map(([name, { annotations, comments }]) => ({ name, annotations, ...(comments > 0 && { comments }) }))
    .toSorted((a, b) => b.annotations - a.annotations)
