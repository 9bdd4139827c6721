import fc from 'fast-check'
import type { TeamAction } from './team.ts'

const STATUSES = ['draft', 'submitted', 'discarded'] as const
const LABELS = ['yes', 'no'] as const

/** An action that prints itself in failure reports. */
export const teamAction = (what: string, args: object, perform: TeamAction['perform']): TeamAction => {
  const description = `${what} ${JSON.stringify(args)}`
  return Object.assign({ description, perform }, { [fc.toStringMethod]: () => description })
}

export const who = fc.nat({ max: 7 })
export const record = fc.nat({ max: 40 })
export const status = fc.constantFrom(...STATUSES)
export const label = fc.constantFrom(...LABELS)
export const bodyOf = (one: { status: string; label: string }) => ({
  status: one.status,
  values: { label: { value: one.label } },
})
