import { ApiError } from './api-error.ts'

/** A part of the request that the server rejects: its location and the server's reason. */
type FieldFault = { readonly loc: readonly (string | number)[]; readonly msg: string }

const valueAt = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((object, key) => (typeof object === 'object' && object !== null ? Reflect.get(object, key) : null), value)

const isFault = (value: unknown): value is FieldFault =>
  Array.isArray(valueAt(value, 'loc')) && typeof valueAt(value, 'msg') === 'string'

/** Returns a request's rejected fields, or an empty list for any other error. */
export const fieldFaults = (error: unknown): readonly FieldFault[] => {
  if (!(error instanceof ApiError) || error.status !== 422) return []
  const errors = valueAt(error.body, 'detail', 'params', 'errors')
  return Array.isArray(errors) ? errors.filter(isFault) : []
}

/** Whether a request was rejected because of a field in its body. */
export const isAboutField = (error: unknown, field: string): boolean =>
  fieldFaults(error).some(({ loc }) => loc[0] === 'body' && loc[1] === field)

export const faultText = ({ loc, msg }: FieldFault): string => [...loc.slice(1), msg.replace(/^Value error, /, '')].join(': ')
