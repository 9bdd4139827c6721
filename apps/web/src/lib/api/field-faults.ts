import { ApiError } from './api-error.ts'

/** What the server does not take of a request: where, and why in its own words. */
type FieldFault = { readonly loc: readonly (string | number)[]; readonly msg: string }

const inside = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((object, key) => (typeof object === 'object' && object !== null ? Reflect.get(object, key) : null), value)

const isFault = (value: unknown): value is FieldFault =>
  Array.isArray(inside(value, 'loc')) && typeof inside(value, 'msg') === 'string'

/** What is wrong with the fields of a request that was refused for them; empty for any other error. */
export const fieldFaults = (error: unknown): readonly FieldFault[] => {
  if (!(error instanceof ApiError) || error.status !== 422) return []
  const errors = inside(error.body, 'detail', 'params', 'errors')
  return Array.isArray(errors) ? errors.filter(isFault) : []
}

/** Whether a request was refused for what it says in a field of its body. */
export const isAboutField = (error: unknown, field: string): boolean =>
  fieldFaults(error).some(({ loc }) => loc[0] === 'body' && loc[1] === field)

/** The first fault in a few words: the field, and what the server says of it. */
export const sayFault = ({ loc, msg }: FieldFault): string => [...loc.slice(1), msg.replace(/^Value error, /, '')].join(': ')
