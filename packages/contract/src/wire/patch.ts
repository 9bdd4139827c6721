import { z } from 'zod'

type Shape = { readonly [key: string]: z.ZodType }
type None = Record<never, never>
type Output<K extends Shape, O extends Shape, F extends Shape> = { [P in keyof F]: z.output<F[P]> } & {
  [P in keyof K]?: z.output<K[P]>
} & { [P in keyof O]?: z.output<O[P]> | null }
type Input<K extends Shape, O extends Shape, F extends Shape> = { [P in keyof F]: z.input<F[P]> } & {
  [P in keyof K]?: z.input<K[P]>
} & { [P in keyof O]?: z.input<O[P]> | null }

/**
 * The body of a partial update. An omitted key is unchanged. If any of `keys` is `null`, the object gets a single problem that
 * lists all such keys. `nullable` keys accept `null` as a value. `fixed` keys are required, for example a type tag.
 */
export const patch = <K extends Shape, O extends Shape = None, F extends Shape = None>(
  keys: K,
  nullable?: O,
  fixed?: F,
): z.ZodType<Output<K, O, F>, Input<K, O, F>> => {
  const shape: { [key: string]: z.ZodType } = { ...fixed }
  for (const [key, schema] of Object.entries({ ...keys, ...nullable })) shape[key] = schema.nullable().exactOptional()
  const names = Object.keys(keys)
  const schema: unknown = z.object(shape).superRefine((value, ctx) => {
    const nulls = names.filter((name) => value[name] === null)
    if (nulls.length === 0) return
    const message = `Value error, The following keys must have non-null values: ${nulls.join(', ')}`
    ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
  })
  // The refinement excludes `null` for `keys`, which type inference can't see.
  return schema as z.ZodType<Output<K, O, F>, Input<K, O, F>>
}
