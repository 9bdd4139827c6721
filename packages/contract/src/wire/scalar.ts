import { z } from 'zod'
import { message, type Reason } from './message.ts'
import { renderMessage } from './render-message.ts'

type PathPart = string | number

/** Why an input was refused: the `type` of the validation problem, the reason, and the path inside the value. */
export class Fault {
  readonly type: string
  readonly reason: Reason
  readonly path: readonly PathPart[]
  constructor(type: string, reason: Reason, path: readonly PathPart[] = []) {
    this.type = type
    this.reason = reason
    this.path = path
  }
}

/** A fault for a broken rule rather than a wrong type. */
export const valueError = (reason: Reason, path: readonly PathPart[] = []) =>
  new Fault('value_error', message('valueFault', {}, reason), path)
export const missing = (path: readonly PathPart[] = []) => new Fault('missing', message('required'), path)
export const notString = (path: readonly PathPart[] = []) => new Fault('string_type', message('notString'), path)
export const notDictionary = () => new Fault('dict_type', message('notDictionary'))

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
    const { type, reason, path } = result
    const issue = { params: { type, reason }, message: renderMessage(reason) }
    payload.issues.push({ code: 'custom', input: payload.value, inst, path: [...path], ...issue })
    return payload
  }
  inst._zod.processJSONSchema = (_context, json) => {
    Object.assign(json, def.json)
  }
})

/**
 * A schema that consists of one function. It converts the input, or returns a `Fault` that becomes the error in the response. If
 * the key is absent, the input is `undefined` and is reported as missing.
 */
export const scalar = <O, I = O>(json: ScalarJson, convert: Convert<O>): z.ZodType<O, I> => {
  const present: Convert<O> = (value) => (value === undefined ? missing() : convert(value))
  const schema: unknown = new Scalar({ type: 'custom', convert: present, json })
  // The class itself is untyped. `convert` determines the output type, and the caller determines the input type.
  return schema as z.ZodType<O, I>
}
