import type { z } from 'zod'
import { message, type Reason } from '#wire/message.ts'

type Range = { readonly min: number | null; readonly max: number | null }

/** An omitted or null limit means no limit. */
export const rangeCreate = (schema: z.ZodType<number, number>) => ({
  min: schema.nullish().transform((value): number | null => value ?? null),
  max: schema.nullish().transform((value): number | null => value ?? null),
})
export const rangeOut = (schema: z.ZodType<number>) => ({ min: schema.nullable(), max: schema.nullable() })

export const refineRange = ({ min, max }: Range, ctx: z.core.$RefinementCtx<unknown>) => {
  if (min === null || max === null || min < max) return
  const message = `Value error, 'min' (${min}) must be lower than 'max' (${max})`
  ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
}

/** Both limits are inclusive. */
export const outOfRange = (value: number, { min, max }: Range): Reason | null => {
  if (min !== null && value < min) return message('mustBeAtLeast', { limit: min })
  return max !== null && value > max ? message('mustBeAtMost', { limit: max }) : null
}
