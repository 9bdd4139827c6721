import { z } from 'zod'
import { SearchBody } from './search.ts'
import { maxChosenRecords } from './wire/limits.ts'
import { uuid } from './wire/scalars.ts'

export const recordTarget = {
  search: SearchBody.nullish(),
  /** Records that the search finds but that must not change. IDs of records that it doesn't find are ignored. */
  except_ids: z.array(uuid()).max(maxChosenRecords).nullish(),
  record_ids: z.array(uuid()).min(1).max(maxChosenRecords).nullish(),
}
type UncheckedTarget = { readonly search?: unknown; readonly except_ids?: unknown; readonly record_ids?: unknown }
const isSet = (value: unknown) => value !== null && value !== undefined
/** Refuses a request that doesn't say clearly which records it changes. */
export const refuseUnclearTarget = ({ search, except_ids, record_ids }: UncheckedTarget, ctx: z.core.$RefinementCtx<unknown>) => {
  const refuse = (message: string) => ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
  if (isSet(search) === isSet(record_ids)) refuse("Value error, either 'search' or 'record_ids' must be provided, not both")
  else if (isSet(except_ids) && !isSet(search)) refuse("Value error, 'except_ids' needs 'search'")
}

/** The records that a request changes. */
export type RecordTarget = z.infer<z.ZodObject<typeof recordTarget>>
