import fc from 'fast-check'
import type { Deed } from './crowd.ts'

const STATUSES = ['draft', 'submitted', 'discarded'] as const
const LABELS = ['yes', 'no'] as const

/** Prints what it does, for the report of a failure. */
export const deed = (what: string, args: object, perform: Deed['perform']): Deed => {
  const did = `${what} ${JSON.stringify(args)}`
  return Object.assign({ did, perform }, { [fc.toStringMethod]: () => did })
}

export const who = fc.nat({ max: 7 })
export const record = fc.nat({ max: 40 })
export const status = fc.constantFrom(...STATUSES)
export const label = fc.constantFrom(...LABELS)
export const bodyOf = (one: { status: string; label: string }) => ({
  status: one.status,
  values: { label: { value: one.label } },
})
