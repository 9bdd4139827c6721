import { z } from 'zod'

type PathPart = string | number

/** Why an input was refused: the `type` of the validation problem, a sentence, and the path inside the value. */
export class Fault {
  readonly type: string
  readonly msg: string
  readonly path: readonly PathPart[]
  constructor(type: string, msg: string, path: readonly PathPart[] = []) {
    this.type = type
    this.msg = msg
    this.path = path
  }
}

/** A fault for a broken rule rather than a wrong type. */
export const valueError = (msg: string, path: readonly PathPart[] = []) => new Fault('value_error', `Value error, ${msg}`, path)
export const missing = (path: readonly PathPart[] = []) => new Fault('missing', 'Field required', path)

/** The JSON Schema of a scalar in the API documentation. */
export type ScalarJson = { readonly [keyword: string]: unknown }
type Convert<O> = (value: unknown) => O | Fault
type ScalarDef = z.core.$ZodTypeDef & { readonly convert: Convert<unknown>; readonly json: ScalarJson }
type ScalarType = z.ZodType & { _zod: z.core.$ZodTypeInternals & { def: ScalarDef } }

const Scalar: z.core.$constructor<ScalarType, ScalarDef> = z.core.$constructor('Scalar', (inst, def) => {
  z.ZodType.init(inst, def)
  inst._zod.parse = (payload) => {
    const result = def.convert(payload.value)
    if (!(result instanceof Fault)) {
      payload.value = result
      return payload
    }
    const { type, msg, path } = result
    payload.issues.push({ code: 'custom', input: payload.value, inst, path: [...path], params: { type }, message: msg })
    return payload
  }
  inst._zod.toJSONSchema = () => ({ ...def.json })
})

/**
 * A schema that is one function. It converts the input or returns a fault in the wire's own terms.
 * An absent key arrives as `undefined` and is reported as missing.
 */
export const scalar = <O, I = O>(json: ScalarJson, convert: Convert<O>): z.ZodType<O, I> => {
  const present: Convert<O> = (value) => (value === undefined ? missing() : convert(value))
  const schema: unknown = new Scalar({ type: 'custom', convert: present, json })
  // The class itself is untyped. `convert` determines the output type, the caller the input type.
  return schema as z.ZodType<O, I>
}
